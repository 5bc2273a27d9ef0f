// Mutations of a person's own sidebar. They describe the action and not the resulting sidebar, so that the offline changes of
// two devices are both preserved.
import { z } from 'zod';
import { MANY_MAX } from '../constants.ts';
import { SIDEBAR } from './limits.ts';
import { authorize } from '../define/access.ts';
import { timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { defineMutator, workspaceOf, type MutationContext, type Tx } from '../define/mutator.ts';
import { AppError } from '../errors.ts';
import type { Id } from '../ids.ts';
import { placed, SIDEBAR_SECTIONS } from './sidebar-order.ts';
import { filterName, filterQuery, type Sidebar } from './sidebar.ts';

type SpaceIds = Id<'space'>[];
type Arrangement = Pick<Sidebar, 'pinned' | 'order' | 'collapsed' | 'filters'>;

const spaceId = idOf('space');
const spaceIds = z.array(spaceId).min(1, 'At least one').max(MANY_MAX, `At most ${MANY_MAX}`);
const section = z.enum(SIDEBAR_SECTIONS);

const UNTOUCHED: Arrangement = { pinned: [], order: [], collapsed: [], filters: {} };

/** Applies a change to the actor's own sidebar, which is created by the first change. */
async function arrange(
  tx: Tx,
  context: MutationContext,
  at: string,
  change: (now: Arrangement) => Partial<Arrangement> | Promise<Partial<Arrangement>>,
): Promise<void> {
  const { userId } = context.actor;
  const time = context.at(at);
  const row = await tx.get('sidebar', userId);
  const changed = await change(row ?? UNTOUCHED);
  if (row !== undefined) return tx.update('sidebar', userId, { ...changed, updated: time });
  const key = { workspaceId: workspaceOf(context), userId };
  await tx.insert('sidebar', { ...key, ...UNTOUCHED, ...changed, created: time, updated: time });
}

/** Those of the spaces that the actor can read and that are not deleted, in the same order and each once. */
async function living(tx: Tx, ids: readonly Id<'space'>[]): Promise<SpaceIds> {
  const rows = await tx.getMany('space', ids);
  return [...new Set(ids)].filter((id) => rows.get(id)?.deletedAt === null);
}

/** @throws not_found when none of the spaces is there */
async function requireLiving(tx: Tx, ids: readonly Id<'space'>[]): Promise<SpaceIds> {
  const found = await living(tx, ids);
  if (found.length === 0) throw new AppError('not_found', 'Space not found');
  return found;
}

/** The ids, without deleted spaces if there would be too many. @throws invalid when there still are */
async function fitting(tx: Tx, ids: SpaceIds, max: number): Promise<SpaceIds> {
  if (ids.length <= max) return ids;
  const left = await living(tx, ids);
  if (left.length > max) throw new AppError('invalid', `spaceId: at most ${max} spaces can stand here`);
  return left;
}

const pin = defineMutator({
  realm: 'workspace',
  args: z.object({ spaceIds, at: timestamp }),
  async run(tx, { spaceIds: given, at }, context) {
    authorize(context.actor, 'sidebar.update');
    const found = await requireLiving(tx, given);
    await arrange(tx, context, at, async ({ pinned }) => {
      const added = found.filter((id) => !pinned.includes(id));
      return { pinned: await fitting(tx, [...pinned, ...added], SIDEBAR.pinned) };
    });
  },
});

const unpin = defineMutator({
  realm: 'workspace',
  args: z.object({ spaceIds, at: timestamp }),
  async run(tx, { spaceIds: given, at }, context) {
    authorize(context.actor, 'sidebar.update');
    const gone = new Set(given);
    await arrange(tx, context, at, ({ pinned }) => ({ pinned: pinned.filter((id) => !gone.has(id)) }));
  },
});

const move = defineMutator({
  realm: 'workspace',
  args: z.object({
    spaceId,
    section,
    /** The spaces above it in this section after the move, in their order. */
    above: z.array(spaceId).max(SIDEBAR.ordered - 1),
    at: timestamp,
  }),
  async run(tx, { spaceId: id, section: to, above, at }, context) {
    authorize(context.actor, 'sidebar.update');
    await requireLiving(tx, [id]);
    await arrange(tx, context, at, async ({ pinned, order }) => {
      if (to === 'pinned') return { pinned: await fitting(tx, placed(pinned, id, above), SIDEBAR.pinned) };
      // Spaces above that are only placed by name get a position too, or the moved one would be sorted before them.
      const known = new Set(order);
      const unplaced = (await living(tx, above)).filter((each) => each !== id && !known.has(each));
      const moved = placed([...order, ...unplaced], id, above);
      return {
        pinned: pinned.filter((each) => each !== id),
        order: await fitting(tx, moved, SIDEBAR.ordered),
      };
    });
  },
});

const collapse = defineMutator({
  realm: 'workspace',
  args: z.object({ section, collapsed: z.boolean(), at: timestamp }),
  async run(tx, { section: name, collapsed: isCollapsed, at }, context) {
    authorize(context.actor, 'sidebar.update');
    await arrange(tx, context, at, ({ collapsed }) => {
      const others = collapsed.filter((each) => each !== name);
      return { collapsed: isCollapsed ? [...others, name] : others };
    });
  },
});

const saveFilter = defineMutator({
  realm: 'workspace',
  args: z.object({ name: filterName, query: filterQuery, at: timestamp }),
  async run(tx, { name, query, at }, context) {
    authorize(context.actor, 'sidebar.update');
    await arrange(tx, context, at, ({ filters }) => {
      const saved = { ...filters, [name]: query };
      if (Object.keys(saved).length > SIDEBAR.filters)
        throw new AppError('invalid', `name: at most ${SIDEBAR.filters} filters can be saved`);
      return { filters: saved };
    });
  },
});

const removeFilter = defineMutator({
  realm: 'workspace',
  args: z.object({ name: filterName, at: timestamp }),
  async run(tx, { name, at }, context) {
    authorize(context.actor, 'sidebar.update');
    await arrange(tx, context, at, ({ filters }) => ({
      filters: Object.fromEntries(Object.entries(filters).filter(([other]) => other !== name)),
    }));
  },
});

export const sidebarMutators = {
  'sidebar.pin': pin,
  'sidebar.unpin': unpin,
  'sidebar.move': move,
  'sidebar.collapse': collapse,
  'sidebar.save_filter': saveFilter,
  'sidebar.remove_filter': removeFilter,
} as const;

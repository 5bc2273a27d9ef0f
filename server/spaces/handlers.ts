/** The calls about spaces, links and visibilities, one small function per row. */
import { authorize } from '#shared/define/access.ts';
import { slugify, withoutUndefined } from '#shared/define/fields.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { MutatorArgs } from '#shared/mutators.ts';
import type { spaceEndpoints } from '#shared/spaces/endpoints.ts';
import type { GrantInput } from '#shared/spaces/grant.ts';
import { VISIBILITIES, VISIBILITY } from '#shared/spaces/visibility.ts';
import { subjectOf } from '#shared/subject.ts';
import type { Context } from '../context.ts';
import type { Handlers, Member } from '../http/call.ts';
import { memberOf } from '../http/credentials.ts';
import { listPage } from '../http/list-page.ts';
import { writeAs, written } from '../http/write.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { replaceGrants, shownGrants } from './grants.ts';
import { leaveShare, sharesWith } from './shares.ts';
import { viewSpaceAs } from './view-as.ts';
import { searchSpaces } from './search.ts';
import { findIdBySlug, linksFor, spacesFor, workspaceIdBySlug, type Reader } from './store.ts';
import { readerIn } from '../sync/readable.ts';

async function one(context: Context, reader: Reader, id: Id<'space'> | undefined) {
  const found = id && (await spacesFor(context.db, reader).where('space.id', '=', id).executeTakeFirst());
  if (!found) throw new AppError('not_found', 'Space not found');
  return found;
}

async function oneWithGrants(context: Context, actor: Member, id: Id<'space'> | undefined) {
  const found = await one(context, actor, id);
  return { ...found, ...(await shownGrants(context.db, actor, found)) };
}

type Change = Omit<MutatorArgs<'space.update'>, 'at'> & { grants?: GrantInput[] | undefined };

/**
 * An admin who makes another member's space private can no longer read it: the response is then the row read before,
 * with the change.
 */
async function change(context: Context, actor: Member, { grants, ...fields }: Change) {
  const before = await one(context, actor, fields.id);
  const { version } = await writeAs(context, readerIn(actor), async (writing) => {
    // Grants first: a person who closes a space of another member may not change it afterwards.
    if (grants !== undefined) await replaceGrants(writing, fields.id, grants);
    await writing.apply('space.update', { ...fields, at: writing.at });
  });
  const after = await spacesFor(context.db, actor).where('space.id', '=', fields.id).executeTakeFirst();
  const place = after ?? { ...before, ...withoutUndefined(fields) };
  return written({ version, value: { ...place, ...(await shownGrants(context.db, actor, place)) } });
}

async function oneLink(
  context: Context,
  actor: Member,
  { spaceId, memoryId }: { spaceId: Id<'space'>; memoryId: Id<'memory'> },
) {
  return linksFor(context.db, actor)
    .where('space_memory.spaceId', '=', spaceId)
    .where('space_memory.memoryId', '=', memoryId)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'This memory is not in this space'));
}

export const spaceHandlers = {
  'space.get_by_slug': async ({ context, actor, params }) => {
    const now = context.clock.now();
    const place = { slug: params.workspaceSlug, userId: actor.userId, now };
    const workspaceId = await workspaceIdBySlug(context.db, place);
    if (!workspaceId) throw new AppError('forbidden', 'You are not a member of this workspace');
    const id = await findIdBySlug(context.db, { workspaceId, slug: params.slug, now });
    const member = await memberOf(context, actor, workspaceId, { guests: true });
    return { result: await oneWithGrants(context, member, id) };
  },
  'space.list': ({ context, actor, query }) =>
    listPage(spacesFor(context.db, actor), { table: 'space', query }),
  'space.create': async ({ context, actor, body }) => {
    const { workspaceId: _workspaceId, id = newId('space'), slug = slugify(body.name), ...given } = body;
    const { version, value } = await writeAs(context, readerIn(actor), async ({ at, apply }) => {
      await apply('space.create', { ...given, id, slug, at });
      return id;
    });
    return written({ version, value: await one(context, actor, value) });
  },
  'space.search': ({ context, actor, body }) => searchSpaces(context.db, actor, body),
  'space.get': async ({ context, actor, params }) => ({
    result: await oneWithGrants(context, actor, params.id),
  }),
  'space.view_as': async ({ context, actor, params, query }) => {
    const space = await one(context, actor, params.id);
    authorize(actor, 'space.update', subjectOf(space, space));
    return { result: await viewSpaceAs(context.db, space, query.viewer) };
  },
  'space.replace': ({ context, actor, params, body }) => change(context, actor, { ...body, id: params.id }),
  'space.update': ({ context, actor, params, body }) => change(context, actor, { ...body, id: params.id }),
  'space.remove': async ({ context, actor, params: { id } }) => {
    await one(context, actor, id);
    const { version } = await writeAs(context, readerIn(actor), ({ at, apply }) =>
      apply('space.remove', { id, at }),
    );
    return written({ version, value: null });
  },
  'share.list': async ({ context, actor }) => ({ result: await sharesWith(context.db, actor.userId) }),
  'share.leave': async ({ context, actor, params }) => {
    refuseImpersonation(actor);
    const { version } = await leaveShare(context, actor, params.id);
    return written({ version, value: null });
  },
  'space_memory.list': ({ context, actor, query }) =>
    listPage(linksFor(context.db, actor), {
      table: 'space_memory',
      query,
      tie: 'memoryId',
      secondTie: 'spaceId',
    }),
  'space_memory.create': async ({ context, actor, body: { spaceId, memoryId } }) => {
    const { version } = await writeAs(context, readerIn(actor), ({ at, apply }) =>
      apply('space_memory.create', { spaceId, memoryId, at }),
    );
    const link = await linksFor(context.db, actor)
      .where('space_memory.spaceId', '=', spaceId)
      .where('space_memory.memoryId', '=', memoryId)
      .executeTakeFirstOrThrow();
    return written({ version, value: link });
  },
  'space_memory.get': async ({ context, actor, params: { spaceId, id } }) => ({
    result: await oneLink(context, actor, { spaceId, memoryId: id }),
  }),
  'space_memory.remove': async ({ context, actor, params: { spaceId, id } }) => {
    await oneLink(context, actor, { spaceId, memoryId: id });
    const { version } = await writeAs(context, readerIn(actor), ({ at, apply }) =>
      apply('space_memory.remove', { spaceId, memoryId: id, at }),
    );
    return written({ version, value: null });
  },
  'visibility.list': () => ({
    result: VISIBILITIES.map((id) => {
      const { label, description, anonymousReads, indexable, guests } = VISIBILITY[id];
      return { id, label, description, login: !anonymousReads, indexable, guests };
    }),
  }),
} satisfies Handlers<typeof spaceEndpoints>;

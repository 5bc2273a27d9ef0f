/**
 * Effects of memory mutations on the server: the key that identifies the same page, page fetches, and notifications
 * about notes edited in two places at once.
 */
import { sql } from 'kysely';
import { editNotes } from '#shared/memories/body.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { across } from '../db/across.ts';
import type { Effects } from '../db/effect.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { emit } from '../events/emit.ts';
import { findAliases, findDuplicate, mergeDuplicate, resolveAlias, storeUrlKey } from './duplicates.ts';
import { dropFormerPage } from './page-store.ts';

async function isTaken(tx: ServerTx, id: MemoryHead['id']): Promise<boolean> {
  const { rows } = await sql`select 1 from "memory" where "id" = ${id} ${across('installation')}`.execute(
    tx.trx,
  );
  return rows.length > 0;
}

/** For mutations of a memory by its id: under an alias they mean the memory behind it. */
const duplicateOf = {
  async otherwise<A extends { id: MemoryHead['id'] }>({ tx, args }: { tx: ServerTx; args: A }) {
    const id = await resolveAlias(tx, args.id);
    return id && { args: { ...args, id } };
  },
};

async function detachDuplicate(tx: ServerTx, id: string): Promise<{ done: true } | undefined> {
  return (await resolveAlias(tx, id)) === undefined ? undefined : { done: true };
}

/** The same for mutations of many, whose list names aliases and memories side by side. */
async function resolveAliases(tx: ServerTx, ids: readonly MemoryHead['id'][]): Promise<MemoryHead['id'][]> {
  const aliases = await findAliases(tx, ids);
  return [...new Set(ids.map((id) => aliases.get(id) ?? id))];
}

const duplicatesOf = {
  async before<A extends { ids: MemoryHead['id'][] }>({ tx, args }: { tx: ServerTx; args: A }) {
    return { args: { ...args, ids: await resolveAliases(tx, args.ids) } };
  },
};

const detachDuplicates = {
  async before<A extends { ids: MemoryHead['id'][] }>({ tx, args }: { tx: ServerTx; args: A }) {
    const aliases = await findAliases(tx, args.ids);
    const ids = args.ids.filter((id) => !aliases.has(id));
    return ids.length === 0 ? ({ done: true } as const) : { args: { ...args, ids } };
  },
};

/** Called with each memory whose page may have to be fetched. */
type QueuePage = (tx: ServerTx, id: string) => Promise<void>;

/** The effects of a server that fetches pages with `queuePage`. */
export function createMemoryEffects(queuePage: QueuePage) {
  return {
    'memory.create': {
      /** A page that is there already stays one memory; its id is the result. */
      async before(call) {
        const duplicate = await findDuplicate(call);
        // The mutator refuses an id in use; a repeated creation does nothing.
        if (duplicate === undefined || (await isTaken(call.tx, call.args.id))) return undefined;
        await mergeDuplicate(call, duplicate);
        return { done: true, result: duplicate };
      },
      async after({ tx, args }) {
        if (args.url === null) return;
        await storeUrlKey(tx, args.id, args.url);
        await queuePage(tx, args.id);
      },
    },
    'memory.update': {
      ...duplicateOf,
      async after({ tx, args }) {
        if (args.url === undefined) return;
        await dropFormerPage(tx, args.id);
        await storeUrlKey(tx, args.id, args.url);
        await queuePage(tx, args.id);
      },
    },
    'memory.edit_quote': duplicateOf,
    'memory.add_tags': duplicateOf,
    'memory.remove_tags': duplicateOf,
    'memory.forget_summary': duplicateOf,
    'memory.retry': { ...duplicateOf, after: ({ tx, args }) => queuePage(tx, args.id) },
    'memory.move': duplicateOf,
    // Undoing a capture must not delete the memory that existed before it.
    'memory.remove': { otherwise: ({ tx, args }) => detachDuplicate(tx, args.id) },
    'memory.restore': { otherwise: ({ tx, args }) => detachDuplicate(tx, args.id) },
    'memory.archive_many': duplicatesOf,
    'memory.add_tags_many': duplicatesOf,
    'memory.remove_tags_many': duplicatesOf,
    'memory.move_many': duplicatesOf,
    'memory.remove_many': detachDuplicates,
    'memory.restore_many': detachDuplicates,
    'space_memory.create_many': {
      async before({ tx, args }) {
        return { args: { ...args, memoryIds: await resolveAliases(tx, args.memoryIds) } };
      },
    },
    'space_memory.create': {
      async otherwise({ tx, args }) {
        const memoryId = await resolveAlias(tx, args.memoryId);
        return memoryId && { args: { ...args, memoryId } };
      },
    },
    'memory.set_notes': {
      ...duplicateOf,
      /** Notifies both authors when the mutator is about to store both texts. */
      async before({ tx, args, context }) {
        const row = await tx.get('memory', args.id);
        if (row === undefined || !editNotes(row, args, context.at(args.at)).keepsBoth) return;
        await emit(tx, 'memory.conflict', { memory: row, authors: [context.actor.userId, row.lastEditedBy] });
      },
    },
  } satisfies Effects;
}

/** The effects of a server without a job queue. */
export const memoryEffects = createMemoryEffects(() => Promise.resolve());

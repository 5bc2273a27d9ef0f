/**
 * What the server adds to mutations of memories: the key by which the same page is recognised, and word of notes that
 * were changed on two sides at once.
 */
import { sql } from 'kysely';
import { urlKey } from '#shared/capture/url-key.ts';
import { bodyFields } from '#shared/memories/body.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { Effects } from '../db/effect.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { notify } from '../notifications/service.ts';
import { behindAlias, findTwin, mergeIntoTwin } from './duplicates.ts';

/** The key is no part of what replicas hold, so writing it moves no version. */
async function storeUrlKey(tx: ServerTx, id: MemoryHead['id'], url: string | null): Promise<void> {
  const key = url === null ? null : urlKey(url);
  await sql`
    update "memory" set "urlKey" = ${key} where "workspaceId" = ${tx.realmId} and "id" = ${id}`.execute(
    tx.trx,
  );
}

/** For mutations of a memory by its id: under an alias they mean the memory behind it. */
const ofTwin = {
  async otherwise<A extends { id: MemoryHead['id'] }>({ tx, args }: { tx: ServerTx; args: A }) {
    const id = await behindAlias(tx, args.id);
    return id && { args: { ...args, id } };
  },
};

async function leaveTwin(tx: ServerTx, id: string): Promise<{ done: true } | undefined> {
  return (await behindAlias(tx, id)) === undefined ? undefined : { done: true };
}

export const memoryEffects = {
  'memory.create': {
    /** A page that is there already stays one memory; its id is the result. */
    async before(call) {
      const twin = await findTwin(call);
      if (twin === undefined) return undefined;
      await mergeIntoTwin(call, twin);
      return { done: true, result: twin };
    },
    async after({ tx, args }) {
      if (args.url !== null) await storeUrlKey(tx, args.id, args.url);
    },
  },
  'memory.update': {
    ...ofTwin,
    async after({ tx, args }) {
      if (args.url !== undefined) await storeUrlKey(tx, args.id, args.url);
    },
  },
  'memory.add_tags': ofTwin,
  'memory.remove_tags': ofTwin,
  'memory.retry': ofTwin,
  'memory.move': ofTwin,
  // Taking back a capture must not take away what was there before it.
  'memory.remove': { otherwise: ({ tx, args }) => leaveTwin(tx, args.id) },
  'memory.restore': { otherwise: ({ tx, args }) => leaveTwin(tx, args.id) },
  'space_memory.create': {
    async otherwise({ tx, args }) {
      const memoryId = await behindAlias(tx, args.memoryId);
      return memoryId && { args: { ...args, memoryId } };
    },
  },
  'memory.set_notes': {
    ...ofTwin,
    /** Tells both authors when the mutator is about to keep both texts (PRODUCT 5.2). */
    async before({ tx, args, context }) {
      const row = await tx.get('memory', args.id);
      if (row === undefined || row.notes === null || row.bodyHash === args.baseHash) return;
      if (row.bodyHash === bodyFields(args.notes).bodyHash || row.notes.startsWith(args.notes ?? '')) return;
      const workspace = await tx.get('workspace', row.workspaceId);
      for (const userId of new Set([context.actor.userId, row.lastEditedBy])) {
        await notify(tx, {
          ...{ userId, workspaceId: row.workspaceId, category: 'workspace', triggerId: 'memory.conflict' },
          ...{ title: 'Both versions of a note were kept', priority: 'medium', subject: row.id },
          body: `“${row.title ?? 'Untitled'}” was changed in two places at once.`,
          link: `/${workspace?.slug ?? ''}?memory=${row.id}`,
        });
      }
    },
  },
} satisfies Effects;

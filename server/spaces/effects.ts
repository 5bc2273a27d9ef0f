/**
 * Effects of space mutations on the server: a replica does not have other people's private spaces, so only the server can
 * detect an address in use and store earlier addresses for redirects.
 */
import { DAY_MS } from '#shared/constants.ts';
import { SLUG_REDIRECT_DAYS } from '#shared/workspaces/limits.ts';
import { AppError } from '#shared/errors.ts';
import { VISIBILITY, type Visibility } from '#shared/spaces/visibility.ts';
import { requireProvenAddress } from '../accounts/service.ts';
import type { Effects } from '../db/effect.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { announceOpened } from './grants.ts';
import { findIdBySlug, freeSlug } from './store.ts';
import { refuseWithheld, withheldFrom } from './withheld.ts';

/** Flags of a visibility, each of which gives more people access. */
const OPENINGS = ['workspaceReads', 'anonymousReads', 'guests', 'positions', 'domain'] as const;

function isWider(from: Visibility, to: Visibility): boolean {
  return OPENINGS.some((opening) => VISIBILITY[to][opening] && !VISIBILITY[from][opening]);
}

/** The effects of a server that sends mail by these jobs. */
export function createSpaceEffects(jobs: Pick<JobQueue, 'enqueue'>) {
  return {
    'space.create': {
      /** An address in use gets a number, so that a space created offline is never refused for it. @throws forbidden */
      async before({ tx, args, context }) {
        if (VISIBILITY[args.visibility].indexable) await requireProvenAddress(tx.trx, context.actor.userId);
        const place = { workspaceId: tx.realmId, slug: args.slug, now: tx.now, except: args.id };
        const slug = await freeSlug(tx.trx, place);
        return slug === args.slug ? undefined : { args: { ...args, slug } };
      },
    },
    'space.update': {
      /** This exact address was requested, so one that is in use is refused. @throws conflict, forbidden */
      async before({ tx, args, context }) {
        const row = await tx.get('space', args.id);
        if (row === undefined) return;
        const isListing = args.visibility !== undefined && VISIBILITY[args.visibility].indexable;
        if (isListing && !VISIBILITY[row.visibility].indexable)
          await requireProvenAddress(tx.trx, context.actor.userId);
        const isShowing = args.visibility !== undefined && isWider(row.visibility, args.visibility);
        if (isShowing) await refuseWithheld(tx, context.actor, args.id);
        if (args.visibility !== undefined)
          await announceOpened(jobs, tx, { place: row, to: args.visibility, by: context.actor.userId });
        if (args.slug === undefined || row.slug === args.slug) return;
        const place = { workspaceId: tx.realmId, slug: args.slug, now: tx.now };
        const holder = await findIdBySlug(tx.trx, place);
        if (holder !== undefined && holder !== args.id) {
          throw new AppError('conflict', 'slug: another space has or had this address');
        }
        const until = new Date(tx.now.getTime() + SLUG_REDIRECT_DAYS * DAY_MS).toISOString();
        const scope = tx.realmId;
        await tx.trx
          .deleteFrom('slug_redirect')
          .where('scope', '=', scope)
          .where('slug', '=', args.slug)
          .execute();
        const old = { scope, slug: row.slug, targetId: args.id, until };
        await tx.trx
          .insertInto('slug_redirect')
          .values(old)
          .onConflict((conflict) => conflict.columns(['scope', 'slug']).doUpdateSet(old))
          .execute();
      },
    },
    'space.restore': {
      /** Memories that their owner has made private since the space was deleted are not restored with it. */
      async before({ tx, args, context }) {
        const row = await tx.get('space', args.id);
        if (row === undefined || row.deletedAt === null) return;
        for (const memoryId of await withheldFrom(tx, context.actor, args.id)) {
          await tx.remove('space_memory', `${args.id}/${memoryId}`);
        }
      },
    },
  } satisfies Effects;
}

/** Those of a server without a job queue. */
export const spaceEffects = createSpaceEffects({ enqueue: () => Promise.resolve() });

/**
 * What the server adds to mutations of spaces: a replica does not see other people's private spaces, so only here an
 * address can be told to be taken, and only here earlier addresses are kept for redirects.
 */
import { SLUG_REDIRECT_DAYS } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import type { Effects } from '../db/effect.ts';
import { findIdBySlug, freeSlug } from './store.ts';

const DAY_MS = 86_400_000;

export const spaceEffects = {
  'space.create': {
    /** A taken address gets a number, so that a space made offline is never refused for it. */
    async before({ tx, args }) {
      const place = { workspaceId: tx.realmId, slug: args.slug, now: tx.now, except: args.id };
      const slug = await freeSlug(tx.trx, place);
      return slug === args.slug ? undefined : { args: { ...args, slug } };
    },
  },
  'space.update': {
    /** Somebody chose this address, so one that is taken is refused. @throws conflict */
    async before({ tx, args }) {
      const row = await tx.get('space', args.id);
      if (args.slug === undefined || row === undefined || row.slug === args.slug) return;
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
} satisfies Effects;

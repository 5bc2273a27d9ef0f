// The stored notification settings of a person; no row means the defaults.
import type { Kysely } from 'kysely';
import type { Id } from '#shared/ids.ts';
import {
  CHOSEN_CATEGORIES,
  DEFAULT_NOTIFICATION_SETTINGS,
  type NotificationSettings,
} from '#shared/notifications/settings.ts';
import { TRIGGERS } from '#shared/notifications/triggers.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../db/tables.ts';
import { nextDigestAt } from './digest-time.ts';

export async function readSettings(db: Kysely<Tables>, userId: Id<'user'>): Promise<NotificationSettings> {
  const found = await db
    .selectFrom('notification_setting')
    .select(['categories', 'triggers', 'mutedWorkspaces', 'digest', 'timezone'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  return found ?? DEFAULT_NOTIFICATION_SETTINGS;
}

/** Replaces the settings. What waited for a digest that is no longer wanted is mailed at once. */
export async function storeSettings(
  { db, clock, jobs }: Pick<Context, 'db' | 'clock' | 'jobs'>,
  userId: Id<'user'>,
  settings: NotificationSettings,
): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    const before = await readSettings(trx, userId);
    await writeSettings(trx, userId, settings, now);
    if (before.digest !== 'off' && settings.digest === 'off')
      await jobs.enqueue(trx, 'notification.digest_mail', { userId, until: now.toISOString() });
  });
}

async function writeSettings(
  db: Kysely<Tables>,
  userId: Id<'user'>,
  settings: NotificationSettings,
  now: Date,
): Promise<void> {
  const row = { ...asColumns(settings), updated: now.toISOString() };
  const due = nextDigestAt(now, settings)?.toISOString();
  await db
    .insertInto('notification_setting')
    .values({ userId, ...row, digestDueAt: due ?? null })
    // Without a digest, what is never mailed by itself may still wait for its day.
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet(due === undefined ? row : { ...row, digestDueAt: due }),
    )
    .execute();
}

function asColumns({ categories, triggers, mutedWorkspaces, digest, timezone }: NotificationSettings) {
  return {
    categories: JSON.stringify(categories),
    triggers: JSON.stringify(triggers),
    mutedWorkspaces,
    digest,
    timezone,
  };
}

/** Sets the day of a single digest for a person who chose none, unless one is due already. */
export async function planDigest(
  db: Kysely<Tables>,
  { userId, settings, now }: { userId: Id<'user'>; settings: NotificationSettings; now: Date },
): Promise<void> {
  const digestDueAt = nextDigestAt(now, { ...settings, digest: 'daily' })?.toISOString() ?? null;
  await db
    .insertInto('notification_setting')
    .values({ userId, ...asColumns(settings), digestDueAt, updated: now.toISOString() })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ digestDueAt })
        .where('notification_setting.digestDueAt', 'is', null),
    )
    .execute();
}

type ChosenCategory = (typeof CHOSEN_CATEGORIES)[number];

/** Turns e-mails of some categories off, overriding single events, and changes no other setting. */
export async function turnMailsOff(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: Id<'user'>,
  off: readonly ChosenCategory[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const settings = await readSettings(trx, userId);
    const categories = { ...settings.categories };
    for (const name of off) categories[name] = { ...categories[name], email: false };
    const triggers = { ...settings.triggers };
    const names: readonly string[] = off;
    for (const [id, { category }] of Object.entries(TRIGGERS)) {
      const { email: _email, ...others } = triggers[id] ?? {};
      if (names.includes(category) && triggers[id] !== undefined) triggers[id] = others;
    }
    await writeSettings(trx, userId, { ...settings, categories, triggers }, clock.now());
  });
}

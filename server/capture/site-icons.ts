// Icons of the sites of saved links: fetched through the guarded way out when one is asked for, drawn in a process with limits,
// and kept for everyone whose links have the same one.
import { sql } from 'kysely';
import { addressOf } from '#shared/hash.ts';
import type { Context } from '../context.ts';
import { runInProcess } from '../jobs/run-in-process.ts';
import { createFairQueue } from '../fair-queue.ts';
import { TIMEOUTS } from '../limits.ts';
import { EgressError, type Egress } from '../providers/egress.ts';
import { FILE_READER } from './file-reader.ts';
import type { DrawnIcon } from './icon-worker.ts';

const WORKER = new URL('./icon-worker.ts', import.meta.url);
const BYTES_MAX = 512 * 1024;
const DAY_MS = 86_400_000;
/** How long an icon is taken for that of its site, and how long one without is not asked again. */
const FRESH_MS = { found: 30 * DAY_MS, missing: DAY_MS };
/** One that is not asked for is removed. */
const KEPT_MS = 365 * DAY_MS;

const takeTurn = createFairQueue({ atOnce: 4, lineAtOnce: 1, lineWaitingMax: 16 });
const underWay = new Map<string, Promise<Buffer | null>>();

export type IconHost = Pick<Context, 'db' | 'clock'> & { egress: Pick<Egress, 'get'> };

/**
 * The icon at this address, in WebP; null without one that can be had.
 * @param person whose turn it is when the icon must be fetched
 * @throws unavailable when too much of the same person waits already
 */
export async function findSiteIcon(host: IconHost, address: string, person: string): Promise<Buffer | null> {
  const { hash } = addressOf(address);
  const known = await host.db
    .selectFrom('site_icon')
    .select(['picture', 'fetched'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  const picture = known?.picture ?? null;
  const age = host.clock.now().getTime() - Date.parse(known?.fetched ?? '');
  if (age < (picture === null ? FRESH_MS.missing : FRESH_MS.found)) return picture;
  const fetched =
    underWay.get(hash) ??
    takeTurn(person, () => fetchIcon(host, address, hash)).finally(() => underWay.delete(hash));
  underWay.set(hash, fetched);
  return (await fetched) ?? picture;
}

/** Stores what was found; a site that no longer answers keeps its former icon. */
async function fetchIcon(host: IconHost, address: string, hash: string): Promise<Buffer | null> {
  const icon = await drawIcon(host.egress, address);
  if (icon === 'off') return null;
  await sql`
    insert into "site_icon" as s ("hash", "picture", "fetched")
    values (${hash}, ${icon}, ${host.clock.now().toISOString()})
    on conflict ("hash") do update
      set "picture" = coalesce(excluded."picture", s."picture"), "fetched" = excluded."fetched"`.execute(
    host.db,
  );
  return icon;
}

/** `off` where this server fetches nothing. */
async function drawIcon(egress: Pick<Egress, 'get'>, address: string): Promise<Buffer | null | 'off'> {
  try {
    const { status, body } = await egress.get(address, {
      accept: 'image/webp,image/png,image/*;q=0.8',
      accepts: () => true,
      maxBytes: BYTES_MAX,
      signal: AbortSignal.timeout(TIMEOUTS.siteIcon),
      isPart: true,
    });
    if (status !== 200) return null;
    const drawn = await runInProcess<DrawnIcon>(WORKER, { bytes: body }, FILE_READER);
    return drawn?.icon ? Buffer.from(drawn.icon) : null;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return error.fault === 'off' ? 'off' : null;
  }
}

/** Removes the icons that no device has asked for in a year. */
export async function forgetSiteIcons(db: Context['db'], now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS).toISOString();
  await db.deleteFrom('site_icon').where('fetched', '<', before).execute();
}

// Which replica schemas are served: the current one, and earlier ones for a while after they were replaced.
import { DAY_MS } from '#shared/constants.ts';
import { SYNC } from '#shared/sync/limits.ts';

/** How long a replaced schema may still pull, and still push offline changes, in days. */
const SCHEMA_PULL_DAYS = 30;
const SCHEMA_PUSH_DAYS = 90;

/** Schema → the day it was replaced, null for the current one. */
export type SchemaVersions = Readonly<Record<string, string | null>>;

const SCHEMA_VERSIONS: SchemaVersions = { [SYNC.schemaVersion]: null };

/** Whether a replica of this schema may pull or push now. */
export function isServed(
  schemaVersion: string,
  direction: 'pull' | 'push',
  now: Date,
  versions: SchemaVersions = SCHEMA_VERSIONS,
): boolean {
  if (!Object.hasOwn(versions, schemaVersion)) return false;
  const replaced = versions[schemaVersion] ?? null;
  if (replaced === null) return true;
  const days = direction === 'pull' ? SCHEMA_PULL_DAYS : SCHEMA_PUSH_DAYS;
  return now.getTime() - Date.parse(replaced) < days * DAY_MS;
}

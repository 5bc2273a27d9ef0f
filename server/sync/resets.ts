// When the position of a replica can no longer be used, and why: it then gets all rows. Pure.
import type { Cookie } from './cookie.ts';
import type { RealmSnapshot } from './feed-reads.ts';
import type { ResetReason } from './metrics.ts';

/** Why a replica begins anew, by the cookie as it was sent and as it was opened; undefined when it need not. */
export function resetReason(
  { sent, opened }: { sent: unknown; opened: Cookie | undefined },
  realm: Pick<RealmSnapshot, 'epoch' | 'version' | 'minVersion'>,
): Exclude<ResetReason, 'forgotten'> | undefined {
  if (opened === undefined) {
    if (sent === null || sent === undefined) return 'new';
    // A cookie with only the order requests everything; any other is of another secret or person.
    return isOrderAlone(sent) ? 'asked' : 'unreadable';
  }
  // Access was restored.
  if (opened.x !== undefined) return 'reopened';
  if (opened.e !== realm.epoch || opened.n > realm.version) return 'restored';
  // Tombstones that it needs were collected.
  const isKept = Object.values(opened.a).every(([version]) => version >= realm.minVersion);
  return isKept ? undefined : 'collected';
}

function isOrderAlone(cookie: unknown): boolean {
  return typeof cookie === 'object' && cookie !== null && Object.keys(cookie).join() === 'order';
}

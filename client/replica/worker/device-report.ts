// Statistics of a device in requests that it makes anyway: the age of the oldest unsent change, and the storage that the
// browser uses. Numbers only. A value that cannot be determined is left out, because no call may fail for this.
import type { CheckRequest, PullRequest } from '#shared/sync/protocol.ts';

/** Sent with each pull. */
export type DeviceReport = Pick<PullRequest, 'pendingMs'>;

/** When a change was made: every change has its time. */
function madeAt(args: unknown): number {
  const at = typeof args === 'object' && args !== null && 'at' in args ? args.at : undefined;
  return typeof at === 'string' ? Date.parse(at) : Number.NaN;
}

/** The age of the oldest change that waits, if one does. */
export async function pendingReport(
  pending: () => Promise<readonly { args: unknown }[]>,
): Promise<DeviceReport> {
  try {
    const times = (await pending()).map(({ args }) => madeAt(args)).filter((time) => !Number.isNaN(time));
    if (times.length === 0) return {};
    return { pendingMs: Math.max(0, Date.now() - times.reduce((one, other) => Math.min(one, other))) };
  } catch {
    // The replica is closing or has lost its database; its owner handles that failure.
    return {};
  }
}

/** Bytes that the browser stores for the site, over all realms and caches. */
export async function storageReport(): Promise<Pick<CheckRequest, 'storageBytes'>> {
  try {
    const { usage } = (await globalThis.navigator.storage?.estimate?.()) ?? {};
    return usage === undefined ? {} : { storageBytes: Math.round(usage) };
  } catch {
    // Some browsers refuse it in private windows.
    return {};
  }
}

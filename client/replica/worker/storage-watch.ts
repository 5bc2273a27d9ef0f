// Reads Replicache's log for failed writes to this device, which it reports in no other way.
import type { LogSink } from 'replicache';
import type { StorageState } from '#client/replica/status.ts';

const SIGNS: readonly [RegExp, StorageState][] = [
  [/QuotaExceeded/i, 'full'],
  [/IDBNotFound|Expected IndexedDB not found|object stores? was not found/i, 'lost'],
];

function textOf(part: unknown): string {
  if (part instanceof Error) return `${part.name} ${part.message}`;
  return typeof part === 'string' ? part : '';
}

/** The storage state that a log line reveals, if any. */
export function storageSign(parts: readonly unknown[]): StorageState | undefined {
  const line = parts.map(textOf).join(' ');
  return SIGNS.find(([sign]) => sign.test(line))?.[1];
}

/** A log sink that reports storage failures and shows errors of Replicache on the console. */
export function storageWatch(onStorage: (state: StorageState) => void): LogSink {
  return {
    log(level, _context, ...parts) {
      if (level === 'debug') return;
      const sign = storageSign(parts);
      if (sign) onStorage(sign);
      else if (level === 'error') console.warn('replica:', ...parts);
    },
  };
}

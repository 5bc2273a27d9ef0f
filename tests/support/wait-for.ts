import { vi } from 'vitest';

/** Like that of Vitest, but patient: its preset second is too short for a busy machine. */
export function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000 });
}

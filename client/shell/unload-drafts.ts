// Texts that were typed just before a page was closed: IndexedDB would be too slow then, local storage writes
// synchronously. They stay here until the next page has moved them to the drafts (drafts.ts).
import type { Draft } from '#client/shell/drafts-database.ts';

const NAME = 'loci-late-drafts';

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { key, text, base, at }: Partial<Record<keyof Draft, unknown>> = value;
  const isBase = base === null || typeof base === 'string';
  return typeof key === 'string' && typeof text === 'string' && isBase && typeof at === 'number';
}

/** Drafts of earlier pages; empty where storage is blocked or the stored value has another form. */
export function readUnloadDrafts(): Draft[] {
  try {
    const kept: unknown = JSON.parse(globalThis.localStorage?.getItem(NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isDraft) : [];
  } catch {
    return [];
  }
}

function write(drafts: readonly Draft[]): void {
  try {
    if (drafts.length === 0) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, JSON.stringify(drafts));
  } catch {
    // Full or forbidden: a page with unsaved text has asked for confirmation before it was left.
  }
}

/** Adds texts to those that are there; the newer one of a key stays. */
export function saveUnloadDrafts(drafts: readonly Draft[]): void {
  if (drafts.length === 0) return;
  const newest = new Map<string, Draft>();
  for (const draft of [...readUnloadDrafts(), ...drafts]) {
    if ((newest.get(draft.key)?.at ?? 0) <= draft.at) newest.set(draft.key, draft);
  }
  write([...newest.values()]);
}

/** Removes the drafts that the function selects. */
export function removeUnloadDrafts(isForgotten: (draft: Draft) => boolean): void {
  const drafts = readUnloadDrafts();
  if (drafts.some(isForgotten)) write(drafts.filter((draft) => !isForgotten(draft)));
}

/**
 * Which memories are being tagged, filed, moved or published right now: the state behind the small dialogs for it.
 * Opened from lists, menus, keys and drops; the dialogs themselves are in organize-modals.tsx.
 */
import type { Id } from '#shared/ids.ts';
import { createStore, useStore } from '#client/shell/external-store.ts';

type MemoryIds = readonly Id<'memory'>[];

type Organizing =
  | { what: 'none' }
  | { what: 'tags' | 'spaces'; ids: MemoryIds }
  | { what: 'home'; ids: MemoryIds }
  /** Filing into a space that people outside can read waits for a yes. */
  | { what: 'publish'; ids: MemoryIds; spaceId: Id<'space'> }
  /** Also open for a move that changes who can read; null is no space. */
  | { what: 'move'; ids: MemoryIds; spaceId: Id<'space'> | null };

const store = createStore<Organizing>({ what: 'none' });

export function openTagPicker(ids: MemoryIds): void {
  if (ids.length > 0) store.set({ what: 'tags', ids });
}

export function openSpacePicker(ids: MemoryIds): void {
  if (ids.length > 0) store.set({ what: 'spaces', ids });
}

/** Opens the confirmation before memories become readable for people outside the workspace. */
export function askToPublish(ids: MemoryIds, spaceId: Id<'space'>): void {
  store.set({ what: 'publish', ids, spaceId });
}

export function openHomePicker(ids: MemoryIds): void {
  if (ids.length > 0) store.set({ what: 'home', ids });
}

/** Opens the confirmation before a move changes who can see memories. */
export function askToMove(ids: MemoryIds, spaceId: Id<'space'> | null): void {
  store.set({ what: 'move', ids, spaceId });
}

/** Closes whichever is open. */
export function closeOrganizing(): void {
  store.set({ what: 'none' });
}

export function useOrganizing(): Organizing {
  return useStore(store);
}

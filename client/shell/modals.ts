/**
 * Which modal of the product is open: fifteen flags, one visible at a time. Stores names and arguments only; each
 * feature renders its own modal with useModal and never another's.
 */
import type { Id } from '#shared/ids.ts';
import { createStore, useStore } from '#client/shell/external-store.ts';

/** The properties that each modal needs to open; `{}` for none. */
export interface ModalArguments {
  notifications: object;
  createSpace: { memoryIds?: readonly Id<'memory'>[] };
  createMemory: { text?: string; spaceId?: Id<'space'> };
  createThread: object;
  memory: { memoryId: Id<'memory'> };
  earlyAccess: object;
  shareThread: { threadId: Id<'thread'> };
  shareSpace: { spaceId: Id<'space'> };
  editSpace: { spaceId: Id<'space'> };
  renameThread: { threadId: Id<'thread'> };
  changeSpaceCover: { spaceId: Id<'space'> };
  deleteSpace: { spaceId: Id<'space'> };
  deleteThread: { threadId: Id<'thread'> };
  memoryNotFound: { memoryId?: string };
}

export type ModalName = keyof ModalArguments;

type OpenArguments = { readonly [N in ModalName]?: ModalArguments[N] };

interface ModalState {
  stack: readonly ModalName[];
  arguments: OpenArguments;
}

/** Typed text or a chosen address must not vanish because the page behind it changed. */
const SURVIVES_NAVIGATION: ReadonlySet<ModalName> = new Set(['createMemory', 'memory', 'memoryNotFound']);

const store = createStore<ModalState>({ stack: [], arguments: {} });

/** Opens a modal on top; the one below comes back when it closes. Opening an open one moves it to the top. */
export function openModal<N extends ModalName>(name: N, args: ModalArguments[N]): void {
  const state = store.get();
  store.set({
    stack: [...state.stack.filter((open) => open !== name), name],
    arguments: { ...state.arguments, [name]: args },
  });
}

/** Closes one modal, wherever it is in the stack. */
export function closeModal(name: ModalName): void {
  const { stack, arguments: args } = store.get();
  if (stack.includes(name)) store.set({ stack: stack.filter((open) => open !== name), arguments: args });
}

export function closeAllModals(): void {
  store.set({ stack: [], arguments: {} });
}

/** Closes what belongs to the page that is being left. */
export function closeModalsForNavigation(): void {
  const { stack, arguments: args } = store.get();
  const staying = stack.filter((open) => SURVIVES_NAVIGATION.has(open));
  if (staying.length !== stack.length) store.set({ stack: staying, arguments: args });
}

export function visibleModal(): ModalName | undefined {
  return store.get().stack.at(-1);
}

/** Opens the notifications slideover or closes it; does nothing over another modal. */
export function toggleNotifications(): void {
  const visible = visibleModal();
  if (visible === 'notifications') closeModal('notifications');
  else if (visible === undefined) openModal('notifications', {});
}

/** The open flag of one modal, its last arguments (still there while it fades out) and a function to close it. */
export function useModal<N extends ModalName>(name: N) {
  const state = useStore(store);
  return {
    open: state.stack.at(-1) === name,
    args: state.arguments[name],
    close: () => closeModal(name),
    onOpenChange: (open: boolean) => {
      if (!open) closeModal(name);
    },
  };
}

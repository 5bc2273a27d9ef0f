/**
 * The toasts on screen, callable from anywhere (mutations, the API client, plain functions), rendered by toaster.tsx.
 * The view counts the five seconds, because it pauses under the pointer.
 */
import { TOAST } from '#client/ui/timing.ts';
import { createStore } from '#client/shell/store.ts';

/** Neutral states a fact, success a finished act, warning a refusal by the server, error a fault. */
export type ToastKind = 'neutral' | 'success' | 'warning' | 'error';

/** A button inside a toast, for example Undo. */
export interface ToastAction {
  label: string;
  run: () => void;
}

/** An `id` already on screen is replaced, and its time starts again. */
export interface ToastInput {
  id?: string;
  title: string;
  description?: string;
  kind?: ToastKind;
  actions?: readonly ToastAction[];
}

/** A toast as shown; `revision` changes when it was replaced. */
export interface Toast {
  id: string;
  title: string;
  description: string | undefined;
  kind: ToastKind;
  actions: readonly ToastAction[];
  open: boolean;
  revision: number;
}

let counter = 0;

/** The list followed by the toaster, oldest first. */
export const toastStore = createStore<readonly Toast[]>([]);

/** Shows a toast and returns its id; the oldest leaves when more than five would be visible. */
export function showToast(input: ToastInput): string {
  counter += 1;
  const id = input.id ?? `toast-${counter}`;
  const toast: Toast = {
    id,
    title: input.title,
    description: input.description,
    kind: input.kind ?? 'neutral',
    actions: input.actions ?? [],
    open: true,
    revision: counter,
  };
  const others = toastStore.get().filter((shown) => shown.id !== id);
  toastStore.set([...others, toast].slice(-TOAST.maxVisible));
  return id;
}

/** Closes a toast and removes it 200 ms later, unless it was shown again in between. */
export function closeToast(id: string): void {
  const closing = toastStore.get().find((toast) => toast.id === id && toast.open);
  if (!closing) return;
  toastStore.set(toastStore.get().map((toast) => (toast === closing ? { ...toast, open: false } : toast)));
  setTimeout(() => {
    toastStore.set(
      toastStore.get().filter((toast) => toast.id !== id || toast.revision !== closing.revision),
    );
  }, TOAST.removeDelayMs);
}

/** Closes every toast, for example when the session ends. */
export function closeAllToasts(): void {
  for (const toast of toastStore.get()) closeToast(toast.id);
}

/**
 * The actions of this tab that can be undone, newest last: mod+Z and the Undo button of a toast share it. Holds functions only;
 * each action defines its own undo.
 */
import { closeToast, showToast, type ToastAction } from '#client/shell/toasts.ts';

interface UndoEntry {
  id: number;
  undo: () => void | Promise<void>;
}

const DEPTH = 50;
let stack: readonly UndoEntry[] = [];
let counter = 0;

/** Puts an act on the stack and returns its number; the oldest is forgotten beyond fifty. */
export function pushUndo(undo: UndoEntry['undo']): number {
  counter += 1;
  stack = [...stack, { id: counter, undo }].slice(-DEPTH);
  return counter;
}

/** The toast of an action is removed together with its undo entry. */
const toastOf = (id: number) => `undo-${id}`;

function failed(): void {
  showToast({ title: 'This could not be undone', kind: 'warning' });
}

/** Undoes one action and closes its toast, which would offer it again; false when it was already undone. */
export function runUndo(id: number): boolean {
  const entry = stack.find((candidate) => candidate.id === id);
  if (!entry) return false;
  stack = stack.filter((candidate) => candidate !== entry);
  closeToast(toastOf(id));
  try {
    Promise.resolve(entry.undo()).catch(failed);
  } catch {
    failed();
  }
  return true;
}

/** Undoes the newest action, as mod+Z does; false when there is none. */
export function undoLast(): boolean {
  const last = stack.at(-1);
  return last !== undefined && runUndo(last.id);
}

/** Whether there is an action to undo. */
export function canUndo(): boolean {
  return stack.length > 0;
}

/** Forgets everything, when the session or the workspace changes. */
export function clearUndo(): void {
  stack = [];
}

function offerUndo(id: number, title: string, more: readonly ToastAction[]): void {
  const actions = [{ label: 'Undo', run: () => runUndo(id) }, ...more];
  showToast({ id: toastOf(id), title, kind: 'success', actions });
}

/** Shows a toast for an action that is done, with an Undo button on the same stack; further buttons follow it. */
export function showUndoToast(
  title: string,
  undo: UndoEntry['undo'],
  more: readonly ToastAction[] = [],
): void {
  offerUndo(pushUndo(undo), title, more);
}

interface Undoable {
  /** Resolves to whether it was done. */
  act: () => Promise<boolean>;
  undo: UndoEntry['undo'];
  /** Of the toast that follows; none without it. */
  title?: string | (() => string);
  more?: readonly ToastAction[];
}

/**
 * Performs an action that can be undone. It is on the stack before it begins, so that mod+Z pressed meanwhile is about this
 * action and not the one before: it takes effect once the action is done.
 */
export async function undoable({ act, undo, title, more = [] }: Undoable): Promise<boolean> {
  const acting = Promise.withResolvers<boolean>();
  const id = pushUndo(async () => {
    if (await acting.promise) await undo();
  });
  let isDone = false;
  try {
    isDone = await act();
  } finally {
    acting.resolve(isDone);
    if (!isDone) stack = stack.filter((entry) => entry.id !== id);
  }
  const canTakeBack = stack.some((entry) => entry.id === id);
  if (canTakeBack && title !== undefined) offerUndo(id, typeof title === 'string' ? title : title(), more);
  return isDone;
}

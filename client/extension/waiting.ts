// Queue of saves and their results. Pure: the table is in waiting-store.ts, sending in send-waiting.ts.
import type { Id } from '#shared/ids.ts';
import { together } from './quote.ts';

interface Waits {
  /** Order of sending; assigned by the table. */
  seq?: number;
  /** Whose it is: another account does not send it. */
  account: string;
  memoryId: Id<'memory'>;
  /** Why the server refused it permanently; it waits for the person. */
  problem?: string;
}

export interface Choices {
  notes?: string | null;
  tags?: string[];
  spaceId?: Id<'space'> | null;
}

export interface WaitingSave extends Waits, Choices {
  kind: 'save';
  workspaceId: Id<'workspace'>;
  url: string;
  title: string;
  /** Null where the page could not be copied: the server fetches it. */
  html: string | null;
  /** It may have reached the server, so it must be sent as it is, or not at all. */
  isTried: boolean;
}

export interface WaitingChange extends Waits, Choices {
  kind: 'change';
  workspaceId: Id<'workspace'>;
  title: string;
}

export type Waiting = WaitingSave | WaitingChange;

export interface SavedAs {
  id: Id<'memory'>;
  isDuplicate: boolean;
  notes: string | null;
}

/** A save with the choices made since, or undefined when it may have been sent without them. */
export function withChoices(save: WaitingSave, choices: Choices): WaitingSave | undefined {
  return save.isTried ? undefined : { ...save, ...choices };
}

/** A change that was made under the id which the device gave, for the memory that the server has. */
export function changeOf(change: WaitingChange, saved: SavedAs): WaitingChange {
  const { notes } = change;
  // Notes of an earlier visit were not shown here and must not be replaced.
  const isUnseen = saved.isDuplicate && typeof notes === 'string' && saved.notes !== null;
  return {
    ...change,
    memoryId: saved.id,
    ...(isUnseen && {
      notes: saved.notes?.includes(notes) ? saved.notes : together(saved.notes ?? '', notes),
    }),
  };
}

/** The next entry to send: in order, and no change of a page that is itself still waiting. */
export function nextToSend(waiting: readonly Waiting[]): Waiting | undefined {
  const held = new Set<string>();
  for (const each of waiting) {
    if (each.problem === undefined && !held.has(each.memoryId)) return each;
    held.add(each.memoryId);
  }
  return undefined;
}

export type Failure = 'later' | 'signed_out' | { refused: string };

const TEMPORARY: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** @param error a refusal of the server with its status; any other value means that there was no response */
export function failureOf(error: unknown): Failure {
  const { status, detail, message }: { status?: unknown; detail?: unknown; message?: unknown } =
    Object(error);
  if (typeof status !== 'number' || status >= 500 || TEMPORARY.has(status)) return 'later';
  if (status === 401) return 'signed_out';
  return { refused: typeof detail === 'string' && detail !== '' ? detail : String(message) };
}

// Messages from the popup to the background script, and their results.
import type { Id } from '#shared/ids.ts';
import type { Choices } from './waiting.ts';

/** Who is signed in, without tokens. */
export interface ShownAccount {
  server: string;
  userName: string;
  workspaceName: string;
  /** False once the server has ended the connection. */
  isConnected: boolean;
}

export interface ShownWaiting {
  seq: number;
  kind: 'save' | 'change';
  memoryId: Id<'memory'>;
  title: string;
  problem: string | null;
}

export interface State {
  /** Address in the field of the sign-in form. */
  server: string;
  account: ShownAccount | null;
  waiting: ShownWaiting[];
}

/** Places and tags to choose from; empty without a connection. */
export interface Offered {
  spaces: { id: Id<'space'>; name: string }[];
  tags: string[];
  /** Space that was chosen last. */
  spaceId: Id<'space'> | null;
}

export interface Page {
  memoryId: Id<'memory'>;
  title: string;
  url: string;
  selection: string;
  outcome:
    /** `there`: found before saving; `known`: found when it was saved again. */
    | { kind: 'saved' | 'known' | 'there'; address: string; created: string }
    | { kind: 'waiting'; isSignedOut: boolean }
    | { kind: 'refused'; seq: number; reason: string };
  notes: string;
  tags: string[];
  spaceId: Id<'space'> | null;
}

export interface Messages {
  state: { ask: object; answer: State };
  offered: { ask: object; answer: Offered };
  sign_in: { ask: { server: string }; answer: State };
  sign_out: { ask: object; answer: State };
  /** Searches the saved pages for the page that the tab shows; null when it is not among them. */
  find: { ask: { tabId: number }; answer: Page | null };
  /** Saves what the tab shows. */
  save: { ask: { tabId: number }; answer: Page };
  send: { ask: object; answer: State };
  change: { ask: { memoryId: Id<'memory'>; title: string; choices: Choices }; answer: State };
  /** Undoes the save of a page that was just saved. */
  undo: { ask: { memoryId: Id<'memory'> }; answer: State };
  retry: { ask: { seq: number; choices?: Choices }; answer: State };
  discard: { ask: { seq: number }; answer: State };
}

export type MessageName = keyof Messages;
export type Message = { [N in MessageName]: { name: N } & Messages[N]['ask'] }[MessageName];
export type Reply<N extends MessageName> = { answer: Messages[N]['answer'] } | { problem: string };

/** Sends a message to the background script and returns the reply. @throws Error with a sentence for the person */
export async function ask<N extends MessageName>(
  name: N,
  given: Messages[N]['ask'],
): Promise<Messages[N]['answer']> {
  const reply: Reply<N> = await chrome.runtime.sendMessage({ name, ...given });
  if ('problem' in reply) throw new Error(reply.problem);
  return reply.answer;
}

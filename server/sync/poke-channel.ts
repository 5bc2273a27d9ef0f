// How a commit on one node becomes known to the others: what a message bus has to do for the fan-out, and the message that
// all of them carry. A channel may lose messages, because the fan-out sweeps the versions.
import type { Commit, CommitListener } from './poke-bus.ts';

/** Far more than a message has: an id and two numbers. */
const MESSAGE_MAX_CHARS = 500;

export interface PokeChannel {
  /** Sends the commits to all other nodes, as far as they can be reached. @throws Error when the database refuses */
  announce(commits: readonly Commit[]): Promise<void>;
  /** Passes on what the nodes announce until the signal aborts; resolves when nothing of it is left open. */
  listen(listener: PokeChannelListener, signal: AbortSignal): Promise<void>;
}

export interface PokeChannelListener {
  onCommit: CommitListener;
  /** Called after every connect, when messages may have been missed; does not throw. */
  onConnect(): Promise<void>;
}

export function writeMessage({ realmId: realm, version: v, at }: Commit): string {
  return JSON.stringify({ realm, v, at });
}

/** The commit in a message; undefined for what is no message of ours. */
export function readMessage(text: string): Commit | undefined {
  if (text.length > MESSAGE_MAX_CHARS) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Anyone with access to the bus can send anything.
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('realm' in value) || !('v' in value)) return undefined;
  const { realm, v } = value;
  if (typeof realm !== 'string' || typeof v !== 'number' || !Number.isSafeInteger(v)) return undefined;
  const at = 'at' in value && typeof value.at === 'number' ? value.at : undefined;
  return { realmId: realm, version: v, at };
}

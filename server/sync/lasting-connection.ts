// A connection to a message bus that is made anew, for ever, whenever it fails. It logs one line when an outage begins and one
// when it is over, however many attempts are between them.
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { MessageBus } from './metrics.ts';

/** Up to twice as long between two attempts, so that nodes do not all come back at once. */
const RECONNECT_MS = 500;
/** How often an open connection is checked. */
export const HEARTBEAT_MS = 5_000;

interface LastingConnection {
  bus: MessageBus;
  /** Connects, calls `connected` once messages arrive, and resolves or rejects when the connection is lost. */
  hold(connected: () => void): Promise<void>;
  /** Called with each change. */
  onState(bus: MessageBus, isConnected: boolean): void;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Resolves after the signal, when `hold` has come to its end. */
export async function holdForever(
  { bus, hold, onState, log }: LastingConnection,
  signal: AbortSignal,
): Promise<void> {
  let isOutage = false;
  const connected = () => {
    if (isOutage) log.info({ bus }, 'listening for commits again');
    isOutage = false;
    onState(bus, true);
  };
  onState(bus, false);
  while (!signal.aborted) {
    const error = await hold(connected).catch((reason: unknown) => reason);
    onState(bus, false);
    if (signal.aborted) return;
    if (!isOutage) log.warn({ bus, error }, 'listening for commits failed; it is tried again until it works');
    isOutage = true;
    // The only rejection is the end of the signal.
    await pause(RECONNECT_MS * (1 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
}

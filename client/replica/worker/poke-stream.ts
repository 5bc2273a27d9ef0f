// Receives the server's pokes, which announce that a realm has changed, over one stream per browser profile. The tab
// with the lock holds the stream and relays pokes to the others. Pokes may have been missed before every (re)connect: the
// stream begins with how far the realms are, and without that (a server of an earlier version) everything is pulled.
import { SYNC } from '#shared/sync/limits.ts';
import { poke, streamStart, type StreamStart } from '#shared/sync/protocol.ts';
import { eventsOf } from '#client/replica/worker/event-stream.ts';
import type { Backoff } from '#client/replica/worker/backoff.ts';
import { pause } from '#client/replica/worker/pause.ts';

export interface PokeOptions {
  apiBase: string;
  token: string;
  /** Names lock and channel; the person's hashed id. */
  key: string;
  fetch: typeof fetch;
  backoff: Backoff;
  /** Dispatches `online` when there is a network again. */
  network: EventTarget;
  onPoke(realmId: string, version: number): void;
  /** The stream ended by itself: the server has stopped, or the network is unavailable. */
  onEnd(): void;
  /** The stream is open (again): changes that `start` does not show may have been missed; without `start`, any change. */
  onConnect(start?: StreamStart): void;
}

/** No byte for this long means that the connection is dead, whatever its state. */
const SILENCE_MS = SYNC.heartbeatMs * 2.5;

const jitter = () => SYNC.reconnectMinMs + Math.random() * (SYNC.reconnectMaxMs - SYNC.reconnectMinMs);

/** Starts listening; call the result to stop. */
export function followPokes(options: PokeOptions): () => void {
  const end = new AbortController();
  const relay = new BroadcastChannel(`loci-poke-${options.key}`);
  const tell = (text: string) => {
    const parsed = poke.safeParse(parseJson(text)).data;
    if (parsed) options.onPoke(parsed.realm, parsed.v);
  };
  relay.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.data === CONNECTED) options.onConnect();
    else if (event.data === ENDED) options.onEnd();
    else if (typeof event.data === 'string') tell(event.data);
  });
  const lead = () =>
    keepStream(options, end.signal, {
      onEvent: (text) => {
        relay.postMessage(text);
        tell(text);
      },
      onEnd: () => {
        relay.postMessage(ENDED);
        options.onEnd();
      },
      onConnect: (start) => {
        // Other tabs may run an earlier version of the application, which only handles this message.
        relay.postMessage(CONNECTED);
        options.onConnect(start);
      },
    });
  void asLeader(`loci-poke-${options.key}`, end.signal, lead);
  return () => {
    end.abort();
    relay.close();
  };
}

const CONNECTED = 'connected';
const ENDED = 'ended';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    console.info('replica: a poke that is no JSON', error);
    return undefined;
  }
}

/** Runs the work while this tab leads. Where locks do not exist (plain http in a local network) every tab leads. */
async function asLeader(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  try {
    if (locks) await locks.request(name, { signal }, work);
    else await work();
  } catch (error) {
    if (!signal.aborted) console.error('replica: the stream of pokes ended', error);
  }
}

interface StreamListener extends Pick<PokeOptions, 'onEnd'> {
  onEvent(text: string): void;
  onConnect(start?: StreamStart): void;
}

async function keepStream(
  options: PokeOptions,
  signal: AbortSignal,
  listener: StreamListener,
): Promise<void> {
  while (!signal.aborted) {
    const status = await streamOnce(options, signal, listener);
    // The session has ended; a pull receives the same status and closes everything.
    if (status === 401) return listener.onConnect();
    // The next leader waits for the lock, which is released on return.
    if (signal.aborted) return;
    await pause(Math.max(jitter(), options.backoff.waitMs), signal, options.network);
  }
}

async function streamOnce(
  options: PokeOptions,
  signal: AbortSignal,
  listener: StreamListener,
): Promise<number> {
  const silence = new AbortController();
  let isFirst = true;
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await options.fetch(`${options.apiBase}/v1/sync/poke`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${options.token}` },
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    options.backoff.record({ status: response.status, retryAfter: response.headers.get('retry-after') });
    if (!response.ok || !response.body) return response.status;
    for await (const data of eventsOf(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const start = isFirst && data !== '' ? streamStart.safeParse(parseJson(data)).data : undefined;
      if (isFirst) listener.onConnect(start);
      if (data !== '' && !start) listener.onEvent(data);
      isFirst = false;
    }
    return response.status;
  } catch {
    // No network, or silence: the loop tries again after a pause.
    return 0;
  } finally {
    clearTimeout(timer);
    if (!isFirst && !signal.aborted) listener.onEnd();
  }
}

/** Reads a stream of server-sent events one by one, as a client that follows a thread does. */
import { expect } from 'vitest';

/** One event of a followed thread. */
export interface StreamEvent {
  event: string;
  id: string | undefined;
  data: {
    thread?: { name: string };
    messages?: { content: string }[];
    message?: { content: string };
    reason?: string;
    /** Of a delta. */
    seq?: number;
    text?: string;
  };
}

/** An open stream. */
export interface EventStream {
  response: Response;
  /** The next event that is no ping; undefined once the stream has ended. */
  next(): Promise<StreamEvent | undefined>;
  close(): void;
}

function parseEvent(block: string): StreamEvent {
  const lines = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = JSON.parse(lines.get('data') ?? '{}');
  return { event: lines.get('event') ?? '', id: lines.get('id'), data };
}

/** Opens the stream; a place that an earlier reader has just left is waited for. */
export async function openEventStream(
  address: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const abort = new AbortController();
  const open = () => fetch(address, { headers, signal: abort.signal });
  let response = await open();
  await expect
    .poll(async () => (response.status === 429 ? (response = await open()) : response).status)
    .not.toBe(429);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<StreamEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const event = parseEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (event.event !== 'ping') return event;
        continue;
      }
      const read = await reader?.read();
      if (read === undefined || read.done) return undefined;
      text += read.value;
    }
  };
  return { response, next, close: () => abort.abort() };
}

/**
 * Server-sent events as the response of a call: the handler returns a source, and this opens the stream, limits the number per
 * caller, and ends it when the client or the server closes. It is independent of the content.
 */
import type { Response } from 'express';
import { STREAMS_PER_PERSON } from '#shared/sync/limits.ts';
import { AppError } from '#shared/errors.ts';

/** A reader slower than this many waiting bytes is cut off and connects again. */
export const WAITING_MAX_BYTES = 1024 * 1024;

interface StreamEvent {
  event: string;
  data: unknown;
  /** Where to resume after this event. */
  id?: string;
}

export interface EventSink {
  send(event: StreamEvent): void;
  /** Sends the buffered events and closes. */
  end(): void;
  /** Aborts when the stream is over, for any reason. */
  closed: AbortSignal;
}

/** Result of a handler that streams; `open` runs once the headers are sent. */
export class EventSource {
  readonly open: (sink: EventSink) => void;
  constructor(open: (sink: EventSink) => void) {
    this.open = open;
  }
}

/** Sends the headers of a stream. */
export function openEventStream(res: Response): void {
  res.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  res.flushHeaders();
}

/** Sends the headers and runs the source until either side ends the stream. */
export function serveEvents(res: Response, source: EventSource, stopping: AbortSignal): void {
  const closed = new AbortController();
  const end = () => {
    if (!res.writableEnded) res.end();
    close();
  };
  const close = () => {
    stopping.removeEventListener('abort', end);
    closed.abort();
  };
  res.on('close', close);
  stopping.addEventListener('abort', end);
  openEventStream(res);
  source.open({
    closed: closed.signal,
    end,
    send({ event, data, id }) {
      if (closed.signal.aborted) return;
      if (res.writableLength > WAITING_MAX_BYTES) return end();
      res.write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
    },
  });
  // A client that disconnected earlier emits no close event; the source must be closed all the same.
  if (res.destroyed) end();
}

/** Counts open streams by who holds them. */
export class StreamSeats {
  readonly #open = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a new stream of the caller; call the result when it ends. @throws rate_limited above the limit */
  take(holder: string): () => void {
    const open = this.#open.get(holder) ?? 0;
    if (open >= this.#most) throw new AppError('rate_limited', 'Too many open streams', { retryAfter: 5 });
    this.#open.set(holder, open + 1);
    return () => {
      const left = (this.#open.get(holder) ?? 1) - 1;
      if (left > 0) this.#open.set(holder, left);
      else this.#open.delete(holder);
    };
  }
}

/** Open streams of each person, over all sessions and kinds; a new one beyond the limit closes the oldest. */
class PersonStreams {
  readonly #open = new Map<string, Set<() => void>>();

  /** Adds a stream that `end` closes; call the result when it is over. */
  add(userId: string, end: () => void): () => void {
    const streams = this.#open.get(userId) ?? new Set();
    this.#open.set(userId, streams);
    const [oldest] = streams;
    if (oldest !== undefined && streams.size >= STREAMS_PER_PERSON) {
      streams.delete(oldest);
      oldest();
    }
    const own = () => end();
    streams.add(own);
    return () => {
      streams.delete(own);
      if (streams.size === 0 && this.#open.get(userId) === streams) this.#open.delete(userId);
    };
  }
}

export const personStreams = new PersonStreams();

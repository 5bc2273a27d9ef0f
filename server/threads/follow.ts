/**
 * The event stream of a thread: a snapshot, then every message and change as it is committed, until the reader loses
 * access. Commits of this process arrive at once through pokes; those of other nodes are found by polling the realm's
 * version. The id of an event is that version and the end of a frozen view, so that a reconnecting reader names the
 * position it reached and the view it had.
 */
import { sql } from 'kysely';
import { SYNC } from '#shared/sync/limits.ts';
import { FOLLOW } from '#shared/threads/limits.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Context } from '../context.ts';
import { EventSource, type EventSink } from '../event-stream.ts';
import { messageAudience } from '../sync/readers/audiences.ts';
import type { ShownDraft } from './answer-drafts.ts';

type FollowContext = Pick<Context, 'db' | 'pokes' | 'log'>;

interface Shown {
  id: string;
  role: Message['role'];
  citations: readonly object[];
}

export interface Followed {
  realmId: string;
  threadId: string;
  /** The thread, and the message at which this reader's view of it ends, if any; undefined once the reader has no access. */
  thread(): Promise<{ thread: object; until: string | null } | undefined>;
  /** Messages of the thread among these ids, oldest first; the newest ones when no ids are given. */
  messages(ids: readonly string[] | undefined): Promise<Shown[]>;
  /** The answers being written in the thread that this reader may see. */
  drafts(): Promise<ShownDraft[]>;
  /** Answers may be in progress although the last message is one: it is being regenerated. */
  awaitsAnswer: boolean;
  /** Last-Event-ID, if the reader reconnects. */
  resumeAt: string | undefined;
  /** Registers the open stream, which `end` closes; call the result once when the stream is over. */
  enter(end: () => void): () => void;
}

/** Streams the thread to one reader. */
export function followThread(context: FollowContext, followed: Followed): EventSource {
  return new EventSource((sink) => {
    const leave = followed.enter(() => sink.end());
    sink.closed.addEventListener('abort', leave, { once: true });
    void new ThreadStream(context, followed, sink).start();
  });
}

/** The stream of one reader: the version it was sent, and at most one poll of the database at a time. */
class ThreadStream {
  readonly #context: FollowContext;
  readonly #followed: Followed;
  readonly #sink: EventSink;
  #sentVersion = 0;
  /** The thread as it was last sent. */
  #lastSent = '';
  #until: string | null = null;
  #isPolling = false;
  #mustPollAgain = false;
  #idleSince = Date.now();
  /** Until this time answers may be in progress. */
  #awaitedUntil = 0;
  /** State sent of each answer in progress, by its id. */
  readonly #drafts = new Map<string, { attempt: number; length: number }>();

  constructor(context: FollowContext, followed: Followed, sink: EventSink) {
    this.#context = context;
    this.#followed = followed;
    this.#sink = sink;
  }

  async start(): Promise<void> {
    const { realmId } = this.#followed;
    const stopListening = this.#context.pokes.listen((commit) => {
      if (commit.realmId === realmId) void this.#poll();
    });
    const sweep = setInterval(() => void this.#sweep(), SYNC.versionSweepMs);
    const ping = setInterval(() => void this.#ping(), FOLLOW.pingMs);
    const draw = setInterval(() => void this.#draw(), FOLLOW.draftMs);
    this.#sink.closed.addEventListener(
      'abort',
      () => {
        stopListening();
        clearInterval(sweep);
        clearInterval(ping);
        clearInterval(draw);
      },
      { once: true },
    );
    await this.#guarded(() => this.#begin());
  }

  /** Sends a snapshot, or the messages since the reader's position if that is recent. */
  async #begin(): Promise<void> {
    const version = await this.#version();
    const now = await this.#followed.thread();
    if (now === undefined) return this.#end('gone');
    const { thread, until } = now;
    this.#lastSent = JSON.stringify(thread);
    this.#until = until;
    const resumeAt = this.#versionOf(this.#followed.resumeAt ?? '');
    const isKnown = resumeAt !== undefined && resumeAt <= version;
    const missed = isKnown ? await this.#changedSince(resumeAt) : undefined;
    this.#sentVersion = version;
    if (missed !== undefined && missed.length <= FOLLOW.snapshotMessages) {
      this.#sendMessages(await this.#followed.messages(missed));
      // The question may be before the missed messages.
      this.#awaitedUntil = Date.now() + FOLLOW.awaitedMs;
      this.#send('thread.updated', { thread });
      return;
    }
    await this.#sendSnapshot(thread);
    if (this.#followed.awaitsAnswer) this.#awaitedUntil = Date.now() + FOLLOW.awaitedMs;
  }

  async #sendSnapshot(thread: object): Promise<void> {
    const messages = await this.#followed.messages(undefined);
    this.#expectAnswers(messages);
    this.#send('snapshot', { thread, messages });
  }

  /**
   * The version that the id of an event names; undefined for an id from a view with another end, because older messages
   * may have entered or left the view since.
   */
  #versionOf(id: string): number | undefined {
    const [, version, until = null] = /^(\d{1,15})(?:\.(\w+))?$/.exec(id) ?? [];
    return version === undefined || until !== this.#until ? undefined : Number(version);
  }

  /** Sends all changes since the last poll; commits during it cause one more poll. */
  async #poll(): Promise<void> {
    if (this.#isPolling) {
      this.#mustPollAgain = true;
      return;
    }
    await this.#guarded(async () => {
      do {
        this.#mustPollAgain = false;
        await this.#sendChanges();
      } while (this.#mustPollAgain && !this.#sink.closed.aborted);
    });
  }

  async #sendChanges(): Promise<void> {
    const version = await this.#version();
    const now = await this.#followed.thread();
    if (now === undefined) return this.#end('gone');
    if (version <= this.#sentVersion) return;
    const { thread, until } = now;
    const current = JSON.stringify(thread);
    const changed = await this.#changedSince(this.#sentVersion);
    this.#sentVersion = version;
    if (until !== this.#until) {
      // Messages have left the view, or those written meanwhile have entered it.
      this.#until = until;
      this.#lastSent = current;
      return this.#sendSnapshot(thread);
    }
    if (changed.length > 0) this.#sendMessages(await this.#followed.messages(changed));
    if (current === this.#lastSent) return;
    this.#lastSent = current;
    this.#send('thread.updated', { thread });
  }

  async #sweep(): Promise<void> {
    if (this.#isPolling) return;
    await this.#guarded(async () => {
      if ((await this.#version()) > this.#sentVersion) await this.#sendChanges();
    });
  }

  /** Keeps the connection open and checks access again, because access can end without a commit in the realm. */
  async #ping(): Promise<void> {
    if (Date.now() - this.#idleSince >= FOLLOW.idleMs) return this.#end('idle');
    await this.#guarded(async () => {
      if ((await this.#followed.thread()) === undefined) return this.#end('gone');
      this.#sink.send({ event: 'ping', data: {} });
    });
  }

  /**
   * Sends the text of answers written since the last call; a new reader gets all of it at once. These events have no id, so
   * that a returning reader sends the last id of the feed.
   */
  async #draw(): Promise<void> {
    if (this.#isPolling || Date.now() > this.#awaitedUntil) return;
    await this.#guarded(async () => {
      // Access is read first: no draft is sent to a reader who has just lost it.
      if ((await this.#followed.thread()) === undefined) return this.#end('gone');
      for (const { id, attempt, text } of await this.#followed.drafts()) {
        const known = this.#drafts.get(id);
        const seq = known?.attempt === attempt ? known.length : 0;
        if (text.length <= seq) continue;
        this.#drafts.set(id, { attempt, length: text.length });
        this.#idleSince = Date.now();
        this.#awaitedUntil = this.#idleSince + FOLLOW.awaitedMs;
        this.#sink.send({ event: 'message.delta', data: { id, seq, text: text.slice(seq) } });
      }
    });
  }

  #expectAnswers(messages: readonly Shown[]): void {
    if (messages.at(-1)?.role === 'user') this.#awaitedUntil = Date.now() + FOLLOW.awaitedMs;
  }

  /** Runs one poll of the database; a failure ends the stream, and the client reconnects. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      await work();
    } catch (error) {
      this.#context.log.warn({ error }, 'a followed thread could not be read');
      this.#sink.end();
    } finally {
      this.#isPolling = false;
    }
    if (this.#mustPollAgain && !this.#sink.closed.aborted) await this.#poll();
  }

  /** A message of the assistant is stored only once it is complete, so both events are sent together. */
  #sendMessages(messages: readonly Shown[]): void {
    this.#expectAnswers(messages);
    for (const message of messages) {
      this.#send('message.created', { message });
      const { id, role, citations } = message;
      this.#drafts.delete(id);
      if (role === 'assistant') this.#send('message.completed', { id, citations });
    }
  }

  #send(event: string, data: unknown): void {
    this.#idleSince = Date.now();
    const end = this.#until === null ? '' : `.${this.#until}`;
    this.#sink.send({ event, data, id: `${this.#sentVersion}${end}` });
  }

  #end(reason: 'gone' | 'idle'): void {
    this.#sink.send({ event: 'end', data: { reason } });
    this.#sink.end();
  }

  async #version(): Promise<number> {
    const row = await this.#context.db
      .selectFrom('sync_realm')
      .select('version')
      .where('realmId', '=', this.#followed.realmId)
      .executeTakeFirst();
    return row?.version ?? 0;
  }

  /** Messages of the thread that the feed lists after a version. */
  async #changedSince(version: number): Promise<string[]> {
    const { realmId, threadId } = this.#followed;
    const { rows } = await sql<{ id: string }>`
      select distinct entry."entityId" as "id" from "sync_entry" entry
      join "message" m on m."workspaceId" = ${realmId} and m."id" = entry."entityId" and m."threadId" = ${threadId}
      where entry."realmId" = ${realmId} and entry."kind" = 'message' and entry."live"
        and entry."audienceId" = ${messageAudience(threadId)} and entry."ver" > ${version}
      limit ${FOLLOW.snapshotMessages + 1}`.execute(this.#context.db);
    return rows.map(({ id }) => id);
  }
}

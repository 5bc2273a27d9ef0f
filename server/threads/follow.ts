/**
 * Following a thread (PRODUCT 5.7): a snapshot, then every message and change as it is committed, until the reader may
 * not read it any more. Commits of this process are heard at once; the version of the realm is looked at as well, for
 * commits of other nodes. The id of an event is the realm's version, and the end of a frozen view, so a reader that comes
 * back names where it was and what it could see from there.
 */
import { sql } from 'kysely';
import { FOLLOW, SYNC } from '#shared/constants.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Context } from '../context.ts';
import { EventSource, type EventSink } from '../http/event-stream.ts';
import { messageAudience } from '../sync/audiences.ts';

type FollowContext = Pick<Context, 'db' | 'pokes' | 'log'>;

/** A message as this reader sees it. */
interface Shown {
  id: string;
  role: Message['role'];
  citations: readonly object[];
}

/** What is followed, and how this reader sees it. */
export interface Followed {
  realmId: string;
  threadId: string;
  /**
   * The thread, and the message with which this reader's view of it ends, if any; undefined as soon as the reader may not
   * read it.
   */
  thread(): Promise<{ thread: object; until: string | null } | undefined>;
  /** Messages of the thread among these ids, oldest first; the newest ones when no ids are given. */
  messages(ids: readonly string[] | undefined): Promise<Shown[]>;
  /** Last-Event-ID, if the reader comes back. */
  resumeAt: string | undefined;
  /** Called once when the stream is over. */
  release(): void;
}

/** The stream of one reader. */
export function followThread(context: FollowContext, followed: Followed): EventSource {
  return new EventSource((sink) => {
    sink.closed.addEventListener('abort', () => followed.release(), { once: true });
    void new Following(context, followed, sink).start();
  });
}

/** One reader at work: the position reached, and at most one look at the database at a time. */
class Following {
  readonly #context: FollowContext;
  readonly #followed: Followed;
  readonly #sink: EventSink;
  #reached = 0;
  /** The thread as it was told last. */
  #told = '';
  #until: string | null = null;
  #isLooking = false;
  #mustLookAgain = false;
  #idleSince = Date.now();

  constructor(context: FollowContext, followed: Followed, sink: EventSink) {
    this.#context = context;
    this.#followed = followed;
    this.#sink = sink;
  }

  async start(): Promise<void> {
    const { realmId } = this.#followed;
    const stopHearing = this.#context.pokes.listen((commit) => {
      if (commit.realmId === realmId) void this.#look();
    });
    const sweep = setInterval(() => void this.#sweep(), SYNC.versionSweepMs);
    const ping = setInterval(() => void this.#ping(), FOLLOW.pingMs);
    this.#sink.closed.addEventListener(
      'abort',
      () => {
        stopHearing();
        clearInterval(sweep);
        clearInterval(ping);
      },
      { once: true },
    );
    await this.#guarded(() => this.#begin());
  }

  /** A snapshot, or what was missed since the reader's position when that is not long ago. */
  async #begin(): Promise<void> {
    const version = await this.#version();
    const now = await this.#followed.thread();
    if (now === undefined) return this.#end('gone');
    const { thread, until } = now;
    this.#told = JSON.stringify(thread);
    this.#until = until;
    const resumeAt = this.#placeOf(this.#followed.resumeAt ?? '');
    const isKnown = resumeAt !== undefined && resumeAt <= version;
    const missed = isKnown ? await this.#changedSince(resumeAt) : undefined;
    this.#reached = version;
    if (missed !== undefined && missed.length <= FOLLOW.snapshotMessages) {
      this.#sendMessages(await this.#followed.messages(missed));
      this.#send('thread.updated', { thread });
      return;
    }
    this.#send('snapshot', { thread, messages: await this.#followed.messages(undefined) });
  }

  /**
   * The version that the id of an event names. Nothing for an id from a view with another end: messages older than it may
   * have come into the view since, or left it.
   */
  #placeOf(id: string): number | undefined {
    const [, version, until = null] = /^(\d{1,15})(?:\.(\w+))?$/.exec(id) ?? [];
    return version === undefined || until !== this.#until ? undefined : Number(version);
  }

  /** Everything since the last look; commits that come meanwhile cause one more. */
  async #look(): Promise<void> {
    if (this.#isLooking) {
      this.#mustLookAgain = true;
      return;
    }
    await this.#guarded(async () => {
      do {
        this.#mustLookAgain = false;
        await this.#sendNews();
      } while (this.#mustLookAgain && !this.#sink.closed.aborted);
    });
  }

  async #sendNews(): Promise<void> {
    const version = await this.#version();
    const now = await this.#followed.thread();
    if (now === undefined) return this.#end('gone');
    if (version <= this.#reached) return;
    const { thread, until } = now;
    const told = JSON.stringify(thread);
    const changed = await this.#changedSince(this.#reached);
    this.#reached = version;
    if (until !== this.#until) {
      // Messages have left the view, or those written meanwhile have come into it.
      this.#until = until;
      this.#told = told;
      this.#send('snapshot', { thread, messages: await this.#followed.messages(undefined) });
      return;
    }
    if (changed.length > 0) this.#sendMessages(await this.#followed.messages(changed));
    if (told === this.#told) return;
    this.#told = told;
    this.#send('thread.updated', { thread });
  }

  async #sweep(): Promise<void> {
    if (this.#isLooking) return;
    await this.#guarded(async () => {
      if ((await this.#version()) > this.#reached) await this.#sendNews();
    });
  }

  /** Keeps the connection, and looks whether the reader may still read: not every loss of a right is a commit. */
  async #ping(): Promise<void> {
    if (Date.now() - this.#idleSince >= FOLLOW.idleMs) return this.#end('idle');
    await this.#guarded(async () => {
      if ((await this.#followed.thread()) === undefined) return this.#end('gone');
      this.#sink.send({ event: 'ping', data: {} });
    });
  }

  /** Runs one look at the database; a fault ends the stream, and the client connects again. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await work();
    } catch (error) {
      this.#context.log.warn({ error }, 'a followed thread could not be read');
      this.#sink.end();
    } finally {
      this.#isLooking = false;
    }
    if (this.#mustLookAgain && !this.#sink.closed.aborted) await this.#look();
  }

  /** An answer is stored when it is whole, so it is complete as soon as it is there. */
  #sendMessages(messages: readonly Shown[]): void {
    for (const message of messages) {
      this.#send('message.created', { message });
      const { id, role, citations } = message;
      if (role === 'assistant') this.#send('message.completed', { id, citations });
    }
  }

  #send(event: string, data: unknown): void {
    this.#idleSince = Date.now();
    const end = this.#until === null ? '' : `.${this.#until}`;
    this.#sink.send({ event, data, id: `${this.#reached}${end}` });
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

  /** Messages of the thread that the feed has noted after a version. */
  async #changedSince(version: number): Promise<string[]> {
    const { realmId, threadId } = this.#followed;
    const { rows } = await sql<{ id: string }>`
      select distinct entry."entityId" as "id" from "sync_entry" entry
      join "message" m on m."id" = entry."entityId" and m."threadId" = ${threadId}
      where entry."realmId" = ${realmId} and entry."kind" = 'message' and entry."live"
        and entry."audienceId" = ${messageAudience(threadId)} and entry."ver" > ${version}
      limit ${FOLLOW.snapshotMessages + 1}`.execute(this.#context.db);
    return rows.map(({ id }) => id);
  }
}

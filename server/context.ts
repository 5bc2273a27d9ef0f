/**
 * The one object graph: everything a handler may use that is neither its input nor its actor. It creates the parts and closes
 * them; it has no product logic.
 */
import type { Pool } from 'pg';
import { Counter, Registry } from 'prom-client';
import type { RenderMarkdown } from '#shared/markdown/render-task.ts';
import type { SchemaSteps } from '#shared/sync/upcasters.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Config } from './config.ts';
import { openDatabase, type Database, type PoolOptions } from './db/database.ts';
import type { Effects } from './db/effect.ts';
import type { IdempotencyLog } from './db/idempotency-log.ts';
import type { Precondition, WriteFailure } from './db/transaction.ts';
import { createCallCounter, type CallCounter } from './http/call-counter.ts';
import { TIMEOUTS } from './limits.ts';
import { createLog, type Logger } from './log.ts';
import { createJobQueue, type JobQueue } from './jobs/queue.ts';
import { createMarkdownThreads } from './markdown/markdown-threads.ts';
import { createEmbeddings, type Embeddings } from './search/query-vectors.ts';
import { createSearchPool, type SearchPool } from './search/search-pool.ts';
import { createSyncMetrics, type SyncMetrics } from './sync/metrics.ts';
import { createAnswerModel, type AnswerModel } from './providers/answer-model.ts';
import { createEgress, type Egress } from './providers/egress.ts';
import { createEmbeddingModel } from './providers/embedding-model.ts';
import { createFileStore, type FileStore } from './providers/files.ts';
import { createIdentityProviders, type IdentityProviders } from './providers/identity.ts';
import { createTextRecognition, type TextRecognition } from './providers/text-recognition.ts';
import { createMailer, type Mailer } from './providers/mailer.ts';
import { createPokeBus, type PokeBus } from './sync/poke-bus.ts';
import { createSecretBox, type SecretBox } from './sealed-text.ts';
import type { SchemaVersions } from './sync/schema-versions.ts';
import { createStandby, type Standby } from './sync/standby.ts';
import type { RequestOrigin } from './request-origin.ts';

export interface Context {
  config: Config;
  /** Address of the database, for connections that cannot be pooled (LISTEN). */
  databaseUrl: string;
  db: Database;
  /** The pool behind `db`, for code that uses `pg` directly. */
  pool: Pool;
  /** Own connections for pulls, so that slow first syncs cannot starve writes. */
  pullDb: Database;
  /** Where a copy of the database takes part of the reads. */
  standby: Standby | undefined;
  /** Own connections for write transactions, which cache the plans of their statements. */
  writeDb: Database;
  log: Logger;
  clock: Clock;
  /** Work that follows a commit and may be tried again. */
  jobs: JobQueue;
  /** Sends mail; only jobs use it. */
  mailer: Mailer;
  /** Fetches what people name on the web. */
  egress: Egress;
  /** Encrypts the keys of other services that people enter. */
  secrets: SecretBox;
  /** The language model that this server provides; undefined where it provides none. */
  answerModel: AnswerModel | undefined;
  /** Turns texts into vectors, and queries with them; undefined where search uses only words. */
  embeddings: Embeddings | undefined;
  /** Reads the text of pictures; undefined where no engine is present. */
  textRecognition: TextRecognition | undefined;
  /** The bytes of uploaded files. */
  files: FileStore;
  /** Where people can sign in from, by name. */
  identity: IdentityProviders;
  /** Announces commits to replicas. */
  pokes: PokeBus;
  /** Additions of the server to mutators. */
  effects: Effects;
  /** Renders Markdown of people beside the main thread. */
  markdown: RenderMarkdown;
  /** Counts members' calls of the API. */
  calls: CallCounter;
  /** Metrics of GET /metrics; one for each context, because several may run in one process. */
  registry: Registry;
  /** Measures sync and the write path. */
  metrics: SyncMetrics;
  /** The request that is worked on; in the context of one call only. */
  origin?: RequestOrigin | undefined;
  /** Aborts when the server begins to stop: event streams end, loops leave. */
  stopping: AbortSignal;
  search: SearchPool;
  /** Which replica schemas are served and rewritten, when it is not the product's own list. */
  schemaVersions?: SchemaVersions;
  schemaSteps?: SchemaSteps;
  mayRunAgain?: (failure: WriteFailure) => boolean;
  /** Only while a request with an Idempotency-Key runs. */
  idempotencyLog?: IdempotencyLog;
  /** Only while a request with If-Match runs. */
  precondition?: Precondition;
}

export interface OwnedContext {
  context: Context;
  /** Aborts `stopping`; call it when no new work may begin. */
  beginStop(): void;
  close(): Promise<void>;
}

/** The parts that differ between a real server and a test. */
export interface ContextParts {
  config: Config;
  databaseUrl: string;
  log?: Logger;
  clock?: Clock;
  /** Makes the effects of mutators, which may use the rest of the context; see effects.ts. */
  effects: (context: Omit<Context, 'effects'>) => Effects;
}

/** Builds the graph; nothing connects before its first use. */
export function createContext(parts: ContextParts): OwnedContext {
  const { config, databaseUrl } = parts;
  const log = parts.log ?? createLog(config.logLevel);
  const stopper = new AbortController();
  const open = (
    name: string,
    size: number,
    limits: Pick<PoolOptions, 'statementTimeoutMs' | 'keepsPlans'> = {},
    url = databaseUrl,
  ) =>
    openDatabase({
      url,
      name: `loci ${name}`,
      size,
      ...limits,
      onError: (error) => {
        if (!stopper.signal.aborted) log.warn({ error }, 'an idle database connection broke');
      },
    });
  const half = Math.max(2, Math.ceil(config.databasePoolSize / 2));
  const main = open('main', config.databasePoolSize);
  // Of their own, so that slow first syncs cannot starve writes.
  const forPulls = { statementTimeoutMs: TIMEOUTS.pullStatement, keepsPlans: true };
  const pull = open('pull', half, forPulls);
  const read =
    config.databaseReadUrl === undefined ? undefined : open('read', half, forPulls, config.databaseReadUrl);
  const write = open('write', half, { keepsPlans: true });
  const clock = parts.clock ?? systemClock;
  const registry = new Registry();
  const metrics = createSyncMetrics(registry);
  const markdown = createMarkdownThreads();
  const givenUp = new Counter({
    name: 'loci_jobs_given_up_total',
    help: 'Jobs whose last try failed.',
    labelNames: ['job'],
    registers: [registry],
  });
  const calls = createCallCounter({ db: main.db, clock, log });
  const context = {
    config,
    databaseUrl,
    db: main.db,
    pool: main.pool,
    pullDb: pull.db,
    standby: read && createStandby({ db: read.db, log, metrics }),
    writeDb: write.db,
    log,
    clock,
    calls,
    markdown,
    registry,
    metrics,
    jobs: createJobQueue(databaseUrl, {
      onError: (error) => {
        if (!stopper.signal.aborted) log.warn({ error }, 'the job queue had a fault');
      },
      onGivenUp: (name) => {
        log.error({ job: name }, 'a job was given up after its last try');
        givenUp.inc({ job: name });
      },
    }),
    mailer: createMailer(config, { db: main.db, clock }),
    egress: createEgress(config.egress),
    secrets: createSecretBox(config),
    answerModel: createAnswerModel(config.answers),
    embeddings: createEmbeddings(createEmbeddingModel(config.embeddings), { clock, log }),
    textRecognition: createTextRecognition(config.ocr, log),
    files: createFileStore(config),
    identity: createIdentityProviders(config),
    pokes: createPokeBus(),
    search: createSearchPool({ config, databaseUrl, log }),
    stopping: stopper.signal,
  };
  return {
    context: { ...context, effects: parts.effects(context) },
    beginStop: () => stopper.abort(),
    async close() {
      stopper.abort();
      markdown.close();
      await calls.close();
      await context.egress.close();
      await context.search.close();
      await Promise.all([main.close(), pull.close(), write.close(), read?.close()]);
    },
  };
}

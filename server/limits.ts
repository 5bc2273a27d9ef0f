import { ICON_FETCH_TIMEOUT_MS } from '#shared/capture/limits.ts';

/**
 * Every time-out of the server that turns waiting into a failure, in milliseconds. Intervals, retention and the numbers of the
 * product (shared/constants.ts, and limits.ts of the features) are elsewhere. All are multiplied by LOCI_PATIENCE, which is read
 * here and not in config.ts: search threads need it too, and each would load the parser of all other variables with it. Threads
 * and processes that parse untrusted input get no environment and set no time-outs; their parent limits them.
 */
const AT_PATIENCE_1 = {
  // Requests: clients give up after about five seconds, and a 503 before that says when to retry.

  /** All waits of one request for the database together. */
  request: 4_250,
  /** A connection, new or free in its pool: shorter than `request`, so that the failure names its reason. */
  connection: 4_000,
  /** A lock in the database, such as the version lock of a realm: shorter than `request`, which would leave it waiting. */
  lock: 4_000,
  /** The turn of a write behind other writes of its realm in this process: as long as the lock that it replaces. */
  realmQueue: 4_000,
  /** The turn of a first sync behind other first syncs of its user: shorter than `request`. */
  firstSync: 4_000,
  /** A write whose connection broke is retried only this soon after its start, while there is time for a second try. */
  writeRetry: 1_000,

  // Statements: PostgreSQL ends what no request waits for any more.

  /** A statement: longer than `request`, because breaking off a long write means that it never succeeds. */
  statement: 10_000,
  /** A statement of a pull, which reads much but can be repeated. */
  pullStatement: 5_000,
  /** A statement of a push, which holds the lock of its realm: shorter than `lock`, which others wait for meanwhile. */
  pushStatement: 3_000,
  /** An open transaction between two statements: a process that hangs would hold its locks. */
  idleTransaction: 15_000,
  /** Silence on a connection during a statement, before a new connection checks whether the server works on it. */
  silence: 1_500,
  /** That check, connecting included: together with `silence` shorter than `request`. */
  probe: 2_000,
  /** Time beyond its own limit that a statement gets: the limit cannot reach a server that hangs on its disk. */
  overdue: 1_000,

  // Start and stop, when other programs of the machine start or stop too.

  /** A database that is not up yet, recovers from a crash, or is too busy to respond. */
  databaseStart: 60_000,
  /** One connection of the migration, retried within `databaseStart`. */
  startConnection: 10_000,
  /** The pid file of an embedded database that starts. */
  postmasterStart: 10_000,
  /** The checkpoint of an embedded database that stops; then it is stopped without one. */
  postmasterStop: 30_000,
  /** A program of PostgreSQL that prints its version, to see whether it runs on this system. */
  postgresCheck: 10_000,
  /** The lock of a data folder whose last process was killed, which PostgreSQL notices within milliseconds. */
  directoryLock: 3_000,
  /** The whole stop; after it the process exits regardless. */
  stop: 30_000,
  /** Requests that run when the stop begins. */
  stopRequests: 20_000,
  /** Jobs that run when the stop begins; the others are returned to the queue. */
  stopJobs: 15_000,
  /** Mails that are being saved when the stop begins. */
  stopMails: 15_000,

  // Background work, which no person waits for.

  jobConnection: 10_000,
  /** A statement of the job queue; the first start on a database creates all its tables in one. */
  jobStatement: 30_000,
  /** Silence of a process that runs a job, before another one continues the job. pg-boss allows no less. */
  jobSilence: 10_000,
  /** A response on a connection that listens for commits; the sweep of versions replaces it meanwhile. */
  listener: 5_000,
  /** The outcome of a capture, before another job may claim its page: longer than fetching and reading together. */
  captureLease: 180_000,
  /** The next request of a job that makes vectors, before another one continues: longer than two times `embedding`. */
  embeddingLease: 150_000,

  // Incoming connections.

  /** The headers of a request: slow or silent clients must not hold sockets. */
  requestHeaders: 15_000,
  /** A whole request: 25 MB over a slow connection need minutes. */
  requestBody: 300_000,
  /** One condition of readiness: load balancers time out soon, and check again. */
  readiness: 2_000,
  /** Delay of the event loop from which the process counts as dead: a restart does not help one that is only busy. */
  eventLoop: 5_000,
  /** Silence of a mail server that delivers. */
  mailSilence: 60_000,
  /** A whole connection of a mail server: one that sends a little now and then is never silent. */
  mailConnection: 600_000,

  // Outgoing requests.

  /** A connection to the site of a page, feed or webhook, or to a push service. */
  egressConnection: 10_000,
  egressHeaders: 15_000,
  /** Its whole response, redirects included. */
  egress: 20_000,
  /** The icon of a site, for which the letter in its place is good enough. */
  siteIcon: ICON_FETCH_TIMEOUT_MS,
  /** One stylesheet or picture of a saved page, which is worth saving without it. */
  pagePart: 4_000,
  /** All of them: longer than a few slow ones, shorter than a person waits for the copy. */
  pageParts: 8_000,
  /** The whole answer of a language model: a person watches it being written. */
  answer: 45_000,
  /** The next word of the answer; large models think before the first. */
  answerWord: 20_000,
  /** The test of a language model in the settings, in front of a form. */
  answerTest: 20_000,
  /** A few sentences of a language model in the background. */
  description: 60_000,
  /** A request to an embedding model in the background: a local one computes it on the processor. */
  embedding: 60_000,
  /** The vector of a search that a person typed; without it words find. */
  queryEmbedding: 1_000,
  /** A response of the mail server: some delay their greeting to deter senders of spam. */
  smtp: 30_000,
  /** The start of a response of the S3 store. */
  fileStore: 30_000,
  /** GitHub or Google, in the middle of a sign-in. */
  identityProvider: 10_000,

  // Threads and processes for what people send. A busy machine does not use up processor time.

  /** Loading the modules of a thread or process, hundreds of files. */
  workerStart: 60_000,
  /** Processor time for the estimate of one password. */
  passwordEstimate: 5_000,
  /** Processor time for the text of a page or feed; hostile markup takes more. */
  pageReader: 15_000,
  /** Processor time for the copy of a page. */
  snapshot: 15_000,
  /** Processor time for the passages of one answer; an answer that takes longer is tried again later. */
  passages: 5_000,
  /** Processor time for splitting a few memories into passages. */
  chunks: 5_000,
  /** Processor time for the next files of an archive; a file that takes longer is left out. */
  importChunk: 60_000,
  /** Processor time for one text in Markdown: the parser is linear and needs less, and beyond it the text is shown as it is. */
  markdown: 250,
  /** Elapsed time for the same text: a page waits for it. */
  markdownElapsed: 2_000,
  /** Elapsed time of a text behind others. */
  markdownQueue: 3_000,
  /** Processor time for a file, all processors together. */
  fileReader: 30_000,
  /** Elapsed time for the same file: its text, a scan of it and `textRecognition` together are shorter than `captureLease`. */
  fileElapsed: 60_000,
  /** Processor time for a mail: its sender waits for the reply, by RFC 5321 up to ten minutes. */
  mailReader: 20_000,
  /** Elapsed time after which no further page of a scan is drawn: the last one has the rest of `fileElapsed`. */
  scanPages: 8_000,
  /** Elapsed time for the text in all pictures of one file: within `captureLease`. */
  textRecognition: 20_000,
  /** A search thread beyond the time for its index: one that has not replied by then is stuck or overloaded, and the database searches instead. */
  searchThread: 1_100,
  /** The index in a search thread: while it is built, the database searches. */
  searchIndex: 400,
  /** The same where an answer is made of what is found: it is kept, and the database finds less. */
  answerIndex: 10_000,
};

/** The table for a factor of patience. */
export function timeoutsAt(patience: number): typeof AT_PATIENCE_1 {
  const rows = Object.entries(AT_PATIENCE_1).map(([name, ms]) => [name, Math.ceil(ms * patience)]);
  // The keys are those of the table.
  return Object.fromEntries(rows) as typeof AT_PATIENCE_1;
}

/** The table of this process. Read a row where it is used, not into a constant: tests of a limit replace the values. */
export const TIMEOUTS: Readonly<typeof AT_PATIENCE_1> = timeoutsAt(Number(process.env['LOCI_PATIENCE'] || 1));

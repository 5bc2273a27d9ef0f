// Numbers of threads and answers.

/** Messages on one page of a public thread; links of its feed name the page of their message. */
export const PUBLIC_PAGE_MESSAGES = 50;

export const EXPORT_MESSAGES_MAX = 2_000;

/** Following a thread as it is written. */
export const FOLLOW = {
  snapshotMessages: 50,
  pingMs: 15_000,
  idleMs: 10 * 60_000,
  streamsPerAddress: 3,
  /** How often the text of an answer is read while it is written, and how long after a question one is looked for. */
  draftMs: 250,
  awaitedMs: 3 * 60_000,
} as const;

export const ANSWERS = {
  /** Memories whose texts are read for one answer, and characters of each. */
  memories: 10,
  textMax: 200_000,
  /** Characters of a quoted passage, or of several that follow each other. */
  quoteMax: 1_000,
  /** Where others read the thread: memories that are looked at until enough may be quoted. */
  foundMax: 40,
  /** Earlier questions of the person that a follow-up may lean on. */
  earlierMax: 6,
  readerMemoryMb: 128,
  /** How long a device may look for the passages of one answer. */
  deviceLimitMs: 5_000,
  /** Answers that one server process writes concurrently. */
  atOnce: 6,
  /** The same for questions of visitors, who wait for the response. */
  visitorsAtOnce: 3,
  /** Limits of a language model: passages in the prompt, bytes in its response, tokens in its answer. */
  modelPassages: 12,
  modelBytesMax: 4 * 1024 * 1024,
  modelTokensMax: 2_000,
  /** Characters of an answer of a model; the rest is cut off. */
  modelTextMax: 12_000,
} as const;

export const THREADS = {
  /** Messages that a branch copies. */
  branchMax: 1_000,
} as const;

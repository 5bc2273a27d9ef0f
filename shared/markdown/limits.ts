/**
 * How much of one text of people is rendered as Markdown. Past any of these it is shown as plain text. The parser is
 * linear, so the limit of processor time only ends a worker when the parser has a fault.
 */
export const MARKDOWN = {
  /** Characters of source. */
  maxSource: 200_000,
  /** Elements within each other. */
  maxDepth: 100,
  /** Elements of one text, and of one block of it: the most that a page can render without a noticeable pause. */
  maxElements: 10_000,
  maxBlockElements: 2_500,
  /**
   * Characters of code in one text that are coloured, of one line of it, the squares of the lengths of its lines, and coloured
   * elements: more is shown in one colour. The patterns of some languages take quadratic time on a line, or cubic.
   */
  maxCode: 15_000,
  maxCodeLine: 300,
  maxCodeSquares: 800_000,
  maxCodeElements: 2_500,
  /** Processor time of a worker for one text; a busy machine does not use it up. */
  budgetMs: 250,
  /** Longest wait for one text, whatever else its worker has to do; the text may be retried at once. */
  limitMs: 2_000,
  /** A text that waits longer than this behind others is shown as it is. */
  waitMs: 3_000,
  /** A worker that cannot load its code is not waited for longer than this. */
  startMs: 10_000,
  /** Elements of all texts on one server-rendered page. */
  maxPageElements: 10_000,
} as const;

/**
 * Sends texts to a worker one at a time and terminates the worker when a text exceeds its budget of processor time; the
 * next text gets a fresh one. Results are cached by text, except for texts that failed only because the machine was
 * busy. Independent of the kind of worker: the caller starts it.
 */
import { MARKDOWN } from './limits.ts';
import {
  WITHOUT_RESULT,
  type MarkdownTask,
  type MarkdownTasks,
  type RenderMarkdown,
  type MarkdownReply,
  type MarkdownRequest,
} from './render-task.ts';

export interface RenderWorker {
  send(request: MarkdownRequest): void;
  terminate(): void;
  /** Processor time of the current text so far, in ms; absent where the platform does not measure it. */
  spentMs?(): Promise<number>;
}

/** Events of a worker; `onReady` once it has loaded, so that loading does not count against the first text. */
export interface WorkerEvents {
  onReady(): void;
  onReply(reply: MarkdownReply): void;
  onFailure(): void;
}

export interface RenderQueueOptions {
  start(events: WorkerEvents): RenderWorker;
  /** Of processor time. */
  budgetMs?: number;
  /** Of elapsed time: for one text, for a text behind others, and for a worker that cannot load its code. */
  limitMs?: number;
  waitMs?: number;
  startMs?: number;
  /** Characters of text whose results are cached. */
  maxKept?: number;
}

/** The queue; `close` ends its worker. */
export interface RenderQueue extends RenderMarkdown {
  close(): void;
}

type Result = MarkdownReply['result'];
interface Job extends MarkdownRequest {
  since: number;
  settle(result: Result | undefined): void;
}

const MAX_KEPT = 4_000_000;
/** Shortest pause between two reads of a worker's processor time. */
const LOOK_MS = 20;

export function createRenderQueue(options: RenderQueueOptions): RenderQueue {
  const {
    start,
    budgetMs = MARKDOWN.budgetMs,
    limitMs = MARKDOWN.limitMs,
    waitMs = MARKDOWN.waitMs,
    startMs = MARKDOWN.startMs,
    maxKept = MAX_KEPT,
  } = options;
  const results = createResults(maxKept);
  const pending = new Map<string, Promise<Result | undefined>>();
  const waiting: Job[] = [];
  let current: Job | undefined;
  let worker: RenderWorker | undefined;
  let isReady = false;
  let readySince = 0;
  let generation = 0;
  let nextId = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    generation += 1;
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
    isReady = false;
  }

  /** The current text has no result for now; the next one gets another worker. */
  function giveUp(): void {
    end();
    const job = current ?? waiting.shift();
    current = undefined;
    job?.settle(undefined);
    next();
  }

  /** The current text fails on every attempt. */
  function refuse(): void {
    const job = current;
    if (!job) return giveUp();
    end();
    finish(job, WITHOUT_RESULT[job.task](job.text));
  }

  function finish(job: Job, result: Result): void {
    clearTimeout(timer);
    current = undefined;
    results.keep(keyOf(job.task, job.text), result);
    job.settle(result);
    next();
  }

  /** Ends the worker once the text has used its budget of processor time, or reached the longest wait. */
  async function watch(job: Job, until: number): Promise<void> {
    const left = until - performance.now();
    if (left <= 0) return giveUp();
    timer = setTimeout(giveUp, left);
    const spent = await worker?.spentMs?.();
    if (spent === undefined || current !== job) return;
    if (spent >= budgetMs) return refuse();
    clearTimeout(timer);
    timer = setTimeout(() => void watch(job, until), Math.min(left, Math.max(LOOK_MS, budgetMs - spent)));
  }

  function begin(): void {
    const mine = generation;
    const ifMine =
      <A extends unknown[]>(run: (...values: A) => void) =>
      (...values: A) => {
        if (mine === generation) run(...values);
      };
    timer = setTimeout(giveUp, startMs);
    worker = start({
      onReady: ifMine(() => {
        clearTimeout(timer);
        isReady = true;
        readySince = performance.now();
        next();
      }),
      onReply: ifMine((reply: MarkdownReply) => {
        if (current && reply.id === current.id) finish(current, reply.result);
      }),
      onFailure: ifMine(refuse),
    });
  }

  function next(): void {
    if (current || waiting.length === 0) return;
    if (!worker) return begin();
    if (!isReady) return;
    const job = nextInTime();
    if (!job) return;
    current = job;
    const until = performance.now() + limitMs;
    timer = setTimeout(() => void watch(job, until), Math.min(budgetMs, limitMs));
    worker.send({ id: job.id, task: job.task, text: job.text });
  }

  function nextInTime(): Job | undefined {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      if (performance.now() - Math.max(job.since, readySince) < waitMs) return job;
      job.settle(undefined);
    }
    return undefined;
  }

  async function run(task: MarkdownTask, text: string): Promise<Result | undefined> {
    const key = keyOf(task, text);
    const known = results.find(key);
    if (known !== undefined) return known;
    const asked =
      pending.get(key) ??
      new Promise<Result | undefined>((resolve) => {
        nextId += 1;
        waiting.push({ id: nextId, task, text, since: performance.now(), settle: resolve });
      }).finally(() => pending.delete(key));
    pending.set(key, asked);
    next();
    return asked;
  }

  const runAll = (task: MarkdownTask, texts: readonly string[]) =>
    Promise.all(texts.map((text) => run(task, text)));

  return {
    // The worker runs the task that it was sent, so its reply has that task's type.
    trees: async (texts) => (await runAll('tree', texts)) as (MarkdownTasks['tree'] | undefined)[],
    sources: async (texts) => {
      const sources = (await runAll('source', texts)) as (MarkdownTasks['source'] | undefined)[];
      return sources.map((source, index) => source ?? WITHOUT_RESULT.source(texts[index] ?? ''));
    },
    close: end,
  };
}

const keyOf = (task: MarkdownTask, text: string): string => `${task}:${text}`;

/** The results that were used last, up to a number of characters of their texts. */
function createResults(maxKept: number) {
  const kept = new Map<string, Result>();
  let size = 0;
  const remove = (key: string): void => {
    if (kept.delete(key)) size -= key.length;
  };
  return {
    find(key: string): Result | undefined {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found;
    },
    keep(key: string, result: Result): void {
      remove(key);
      kept.set(key, result);
      size += key.length;
      for (const oldest of kept.keys()) {
        if (size <= maxKept) return;
        remove(oldest);
      }
    },
  };
}

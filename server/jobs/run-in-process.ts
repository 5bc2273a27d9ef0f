// Work on files that people send, in a process of its own: native decoders and buffers outside of the JavaScript heap can crash
// their process, never the server.
import { fork, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TIMEOUTS } from '../limits.ts';
import { isQuestion, type Answer, type Question } from './questions.ts';
import { READER_ENV } from './run-in-thread.ts';
import { createWorkerPool, nextMessage } from './worker-pool.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CHECK_MS = 100;
/** Of the clock, a process may have so many times what it may have of a processor: a busy machine ends none that waits. */
const CLOCK_FACTOR = 4;
/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;
/** One that holds more than this share of its memory when it is done would fail at the next file for this one. */
const KEPT_MEMORY_SHARE = 0.5;

const hasEnded = ({ exitCode, signalCode, killed }: ChildProcess) =>
  killed || exitCode !== null || signalCode !== null;

const runInPool = createWorkerPool<ChildProcess>({ hasEnded, end: (child) => child.kill('SIGKILL') });

/** What a process may have for one input. */
export interface ProcessLimits {
  memoryMb: number;
  /** Milliseconds of the processor; by the clock where the system does not tell them. */
  limitMs: number;
  /** Milliseconds by the clock, for a process that hangs. By default several times as many. */
  elapsedMs?: number;
}

/** Answers what the process asks during the work. */
export type AnswerQuestion = (question: unknown) => unknown;

/**
 * Sends `input` to a process of the module, which calls `serveParent`, and resolves to its reply. On the disk, the process may
 * read only the program, and it has almost no environment.
 * @returns undefined when the work ended its process, took too long, or took too much memory
 * @throws what `answer` throws
 */
export function runInProcess<T>(
  module: URL,
  input: object,
  limits: ProcessLimits,
  answer?: AnswerQuestion,
): Promise<T | undefined> {
  return runInPool<T>(
    `${module.href} ${limits.memoryMb}`,
    () => startProcess(module, limits.memoryMb),
    async (child) => {
      const value = await callProcess<T>(child, input, limits, answer);
      if ((await residentMb(child.pid)) >= limits.memoryMb * KEPT_MEMORY_SHARE) child.kill('SIGKILL');
      return value;
    },
  );
}

/**
 * Sends the next input to a process and resolves to its reply; one call at a time.
 * @returns undefined when it ended or exceeded a limit; it is of no use then
 * @throws what `answer` throws; the process is of no use then
 */
export async function callProcess<T>(
  child: ChildProcess,
  input: object,
  { memoryMb, limitMs, elapsedMs = limitMs * CLOCK_FACTOR }: ProcessLimits,
  answer: AnswerQuestion = () => undefined,
): Promise<T | undefined> {
  // Its end is not announced again.
  if (hasEnded(child)) return undefined;
  const failure = Promise.withResolvers<never>();
  const send = (message: object) => child.send(message, (error) => error && child.kill('SIGKILL'));
  const answerTo = async ({ asked, value }: Question) =>
    send({ answerTo: asked, value: await answer(value) } satisfies Answer);
  const hear = (message: unknown) => {
    if (isQuestion(message)) answerTo(message).catch(failure.reject);
  };
  child.on('message', hear);
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  const before = processorMs(child.pid);
  const spent = async () => ((await processorMs(child.pid)) ?? elapsed()) - ((await before) ?? 0);
  const reply = nextMessage<T>(child, {
    elapsedMs,
    exceeds: async () => (await residentMb(child.pid)) > memoryMb || (await spent()) > limitMs,
    everyMs: CHECK_MS,
  });
  send(input);
  try {
    return await Promise.race([reply, failure.promise]);
  } finally {
    child.off('message', hear);
  }
}

/** A process that has loaded its module; undefined when it could not. */
export async function startProcess(module: URL, memoryMb: number): Promise<ChildProcess | undefined> {
  const child = fork(fileURLToPath(module), [], {
    cwd: ROOT,
    env: READER_ENV,
    execArgv: [
      '--permission',
      ...['node_modules', 'server', 'shared', 'package.json'].map(
        (name) => `--allow-fs-read=${path.join(ROOT, name)}`,
      ),
      // The picture library is native, and reads its threads from the kernel.
      '--allow-addons',
      '--allow-fs-read=/proc',
      `--max-old-space-size=${memoryMb}`,
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Requests go before: a page that was made for it keeps a processor busy as long as it may. Set here and not in the process,
  // where the threads that collect its garbage have begun with the priority of the server.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  // While idle it does not keep the server running; an error between two calls is followed by its exit.
  child.unref();
  child.channel?.unref();
  child.on('error', () => child.kill('SIGKILL'));
  const ready = await nextMessage(child, { elapsedMs: TIMEOUTS.workerStart });
  if (ready !== undefined) return child;
  child.kill('SIGKILL');
  return undefined;
}

/** Memory of a process in megabytes; 0 where the system does not report it. */
async function residentMb(pid: number | undefined): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    // Other systems have no such file; there the heap limit and the time limit remain.
    return 0;
  }
}

/** Processor time of a process in milliseconds, all of its threads together; undefined where the system does not report it. */
async function processorMs(pid: number | undefined): Promise<number | undefined> {
  try {
    // Behind the name, which may hold spaces, the 12th and 13th are the time in the program and in the kernel.
    const [, rest = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(/\) (?=\w )/);
    const [user, kernel] = rest.split(' ').slice(11, 13).map(Number);
    return ((user ?? 0) + (kernel ?? 0)) * TICK_MS;
  } catch {
    return undefined;
  }
}

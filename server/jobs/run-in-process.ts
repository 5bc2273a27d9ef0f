// Work on files that people send, in a process of its own: native decoders and buffers outside of the JavaScript heap can crash
// their process, never the server.
import { fork, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TIMEOUTS } from '../limits.ts';
import { READER_ENV, type ThreadLimits } from './run-in-thread.ts';
import { createWorkerPool, nextMessage } from './worker-pool.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MEMORY_CHECK_MS = 100;
/** One that holds more than this share of its memory when it is done would fail at the next file for this one. */
const KEPT_MEMORY_SHARE = 0.5;

const runInPool = createWorkerPool<ChildProcess>({
  hasEnded: ({ exitCode, signalCode, killed }) => killed || exitCode !== null || signalCode !== null,
  end: (child) => child.kill('SIGKILL'),
});

/**
 * Sends `input` to a process of the module, which calls `serveParent`, and resolves to its reply. On the disk, the process may
 * read only the program, and it has almost no environment.
 * @returns undefined when the work ended its process, took too long, or took too much memory
 */
export function runInProcess<T>(
  module: URL,
  input: object,
  { memoryMb, limitMs }: ThreadLimits,
): Promise<T | undefined> {
  return runInPool<T>(
    `${module.href} ${memoryMb}`,
    () => startProcess(module, memoryMb),
    async (child) => {
      const reply = nextMessage<T>(child, {
        elapsedMs: limitMs,
        exceeds: async () => (await residentMb(child.pid)) > memoryMb,
        everyMs: MEMORY_CHECK_MS,
      });
      child.send(input, (error) => error && child.kill('SIGKILL'));
      const value = await reply;
      if ((await residentMb(child.pid)) >= memoryMb * KEPT_MEMORY_SHARE) child.kill('SIGKILL');
      return value;
    },
  );
}

/** A process that has loaded its module; undefined when it could not. */
async function startProcess(module: URL, memoryMb: number): Promise<ChildProcess | undefined> {
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

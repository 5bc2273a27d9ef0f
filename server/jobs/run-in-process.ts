// Work on files that people send, in a process of its own: native decoders and buffers outside of the JavaScript heap can
// bring down their process, never the server.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TIMEOUTS } from '../limits.ts';
import { READER_ENV, type ThreadLimits } from './run-in-thread.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MEMORY_CHECK_MS = 100;

/**
 * Starts the module, which calls `serveParent`, sends it `input`, and resolves to its reply. The process may read the
 * program and nothing else of the disk, and has next to no environment.
 * @returns undefined when the work ended its process, took too long, or took too much memory
 */
export async function runInProcess<T>(
  module: URL,
  input: object,
  { memoryMb, limitMs }: ThreadLimits,
): Promise<T | undefined> {
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
  const ended = new AbortController();
  const { signal } = ended;
  const stop = () => ended.abort();
  let timer = setTimeout(stop, TIMEOUTS.workerStart);
  const watch = setInterval(() => {
    void residentMb(child.pid).then((used) => used > memoryMb && stop());
  }, MEMORY_CHECK_MS);
  child.once('exit', stop);
  try {
    await once(child, 'message', { signal });
    clearTimeout(timer);
    timer = setTimeout(stop, limitMs);
    child.send(input, (error) => error && stop());
    const [value]: T[] = await once(child, 'message', { signal });
    return value;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    child.kill('SIGKILL');
  }
}

/** Memory of a process in megabytes; 0 where the system does not tell. */
async function residentMb(pid: number | undefined): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    // Other systems have no such file; there the heap limit and the time limit remain.
    return 0;
  }
}

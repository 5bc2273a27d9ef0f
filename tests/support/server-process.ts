/**
 * The real program as a child process, with its own data folder: started, stopped, killed and started again on the
 * same port and data. It knows the program's environment and what it prints, nothing of the product.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#server/db/embedded-postgres.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const START_LIMIT_MS = 60_000;

/** A server under the hands of a test. */
export interface ServerProcess {
  url: string;
  port: number;
  dataDir: string;
  /** Everything the program wrote so far. */
  output(): string;
  /** SIGTERM, and the exit code once it ended. */
  stop(): Promise<number | null>;
  /** SIGKILL: what a crash or a power switch does to the process. The embedded database keeps running. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data; resolves when it answers. */
  start(): Promise<void>;
  /** Ends server and database and removes the data. */
  dispose(): Promise<void>;
}

/** What a test may choose. */
export interface ServerProcessOptions {
  env?: Readonly<Record<string, string>>;
  dataDir?: string;
}

/** Starts the program on a free port and resolves when it is ready. */
export async function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(os.tmpdir(), 'loci-server-'));
  chmodSync(dataDir, 0o711);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let child: ChildProcess | undefined;
  let output = '';

  const start = async () => {
    child = spawn(process.execPath, [path.join(ROOT, 'server/main.ts')], {
      cwd: ROOT,
      env: {
        ...plainEnvironment(),
        PORT: String(port),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'info',
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    await ready(child, url, () => output);
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return ending?.exitCode ?? null;
    const exited = once(ending, 'exit');
    ending.kill(signal);
    await exited;
    return ending.exitCode;
  };
  const server: ServerProcess = {
    url,
    port,
    dataDir,
    output: () => output,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    start,
    async dispose() {
      await end('SIGTERM');
      await endDatabase(dataDir);
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  try {
    await start();
  } catch (error) {
    await server.dispose();
    throw error;
  }
  return server;
}

/** The environment without variables that would change what is tested. */
function plainEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  return { PATH, HOME, TMPDIR, LANG };
}

async function ready(child: ChildProcess, url: string, output: () => string): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`The server did not become ready:\n${output()}`);
}

/** Ends a database that outlived a killed server. */
export async function endDatabase(dataDir: string): Promise<void> {
  const pidFile = path.join(dataDir, 'postgres', 'data', 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // It was gone already: the pid file is left from a kill.
    return;
  }
  for (let waited = 0; waited < 10_000 && existsSync(pidFile); waited += 20) await sleep(20);
}

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
import { takePort } from './ports.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** What Node has read of the server's sources, so that only the first start of a run reads them. */
const CODE_CACHE = path.join(ROOT, 'node_modules/.cache/server-code');
const START_LIMIT_MS = 60_000;

/** A server under the hands of a test. */
export interface ServerProcess {
  url: string;
  port: number;
  /** The running program; 0 before its first start. */
  readonly pid: number;
  dataDir: string;
  /** Everything the program wrote so far. */
  output(): string;
  /** SIGTERM, and the exit code once it ended. */
  stop(): Promise<number | null>;
  /** SIGKILL, as in a crash or a power failure. The embedded database keeps running. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data; resolves when it responds. */
  start(): Promise<void>;
  /** Ends server and database and removes the data. */
  dispose(): Promise<void>;
}

/** What a test may choose. */
export interface ServerProcessOptions {
  env?: Readonly<Record<string, string>>;
  dataDir?: string;
  /** Folder of the program; this checkout unless it is another one. */
  root?: string;
}

/** Starts the program on a free port and resolves when it is ready. */
export async function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? newDataFolder();
  const port = await takePort();
  const url = `http://localhost:${port}`;
  let child: ChildProcess | undefined;
  let output = '';

  const start = async () => {
    child = spawn('sh', ['-c', startCommand()], {
      cwd: options.root ?? ROOT,
      env: {
        ...plainEnvironment(),
        PORT: String(port),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'info',
        // Tests reach nothing beyond this machine.
        EGRESS: 'none',
        NODE_COMPILE_CACHE: CODE_CACHE,
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
    get pid() {
      return child?.pid ?? 0;
    },
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

/** A data folder of its own; the database may run as another OS user, who must be able to pass through. */
function newDataFolder(): string {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'loci-server-'));
  chmodSync(dataDir, 0o711);
  return dataDir;
}

/** What `npm start` runs after the build, with its limits of memory; it replaces the shell. */
function startCommand(): string {
  const manifest: { scripts: { start: string } } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  );
  return manifest.scripts.start;
}

/** The environment without variables that would change what is tested. */
function plainEnvironment(): Record<string, string | undefined> {
  const { PATH = '', HOME, TMPDIR, LANG } = process.env;
  return {
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${PATH}`,
    HOME,
    TMPDIR,
    LANG,
    // Tests share the machine with browsers and databases; a test of a limit sets its own.
    LOCI_PATIENCE: '10',
  };
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
  for (let waited = 0; waited < 60_000 && existsSync(pidFile); waited += 20) await sleep(20);
}

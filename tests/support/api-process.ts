/** Starts and kills processes of api-program.ts, each on a free port. Knows nothing of what they serve. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { takePort } from './ports.ts';

const PROGRAM = path.join(import.meta.dirname, 'api-program.ts');

/** One process. */
export interface ApiProcess {
  url: string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a process on the database and resolves when it listens. @throws Error when it ends before */
export async function startApiProcess(databaseUrl: string): Promise<ApiProcess> {
  const port = await takePort();
  const { PATH, HOME, TMPDIR, LOCI_PATIENCE } = process.env;
  const child = spawn(process.execPath, [PROGRAM], {
    env: {
      PATH,
      HOME,
      TMPDIR,
      LOCI_PATIENCE,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      DATA_DIR: os.tmpdir(),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await ready(child);
  return {
    url: `http://127.0.0.1:${port}`,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('the process ended before it listened');
  });
  await Promise.race([child.stdout ? once(child.stdout, 'data') : ended, ended]);
}

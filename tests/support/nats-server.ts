/** A real nats-server on one port, which tests kill and start again. Clients have to log in. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureProgram } from './ensure-program.ts';
import { takePort } from './ports.ts';

const LOGIN = { user: 'loci', pass: 'a pass/word' };
/** May listen and not publish. */
const MUTE = { user: 'mute', pass: 'mute' };

export interface NatsServer {
  /** For POKE_URL, with user and password. */
  url: string;
  /** The same for a user who may listen and not publish. */
  muteUrl: string;
  /** For other clients: the options of `connect`. */
  options: { servers: string; user: string; pass: string };
  /** Resolves when it takes connections. */
  start(): Promise<void>;
  /** SIGKILL; resolves when it is gone. Does nothing to one that does not run. */
  kill(): Promise<void>;
  /** Kills it and removes its folder. */
  close(): Promise<void>;
}

/** Chooses the port; the server does not run yet. @throws Error where there is no nats-server */
export async function prepareNatsServer(): Promise<NatsServer> {
  ensureProgram('nats-server');
  const port = await takePort();
  const servers = `127.0.0.1:${port}`;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loci-nats-'));
  const configFile = path.join(folder, 'nats.json');
  const users = [
    { user: LOGIN.user, password: LOGIN.pass },
    { user: MUTE.user, password: MUTE.pass, permissions: { publish: { deny: '>' } } },
  ];
  writeFileSync(configFile, JSON.stringify({ host: '127.0.0.1', port, authorization: { users } }));
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url: `nats://${LOGIN.user}:${encodeURIComponent(LOGIN.pass)}@${servers}`,
    muteUrl: `nats://${MUTE.user}:${MUTE.pass}@${servers}`,
    options: { servers, ...LOGIN },
    kill,
    async close() {
      await kill();
      rmSync(folder, { recursive: true });
    },
    async start() {
      await kill();
      child = spawn('nats-server', ['--config', configFile], { stdio: 'ignore' });
      while (!(await greets(port))) {
        if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
        await pause(20);
      }
    },
  };
}

async function greets(port: number): Promise<boolean> {
  const socket = connectSocket(port, '127.0.0.1');
  try {
    await once(socket, 'data');
    return true;
  } catch {
    // It does not listen yet.
    return false;
  } finally {
    socket.destroy();
  }
}

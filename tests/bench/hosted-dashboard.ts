// Starts the server of the benchmarked dashboard beside the browser, at the lowest priority: what the machine can do is
// the page's, as on a device whose server is elsewhere.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { HostedDashboard } from './dashboard-host.ts';

const HOST = path.join(import.meta.dirname, 'dashboard-host.ts');
/** Set for the whole process by its command: Linux gives a later change to one thread alone. */
const LOWEST = ['-n', '19', process.execPath];

function isHosted(message: unknown): message is HostedDashboard {
  return typeof message === 'object' && message !== null && 'address' in message && 'shown' in message;
}

/** Serves so many memories until closed. @throws Error when the server cannot be started */
export async function hostDashboard(count: number): Promise<HostedDashboard & { close(): void }> {
  const host = spawn('nice', [...LOWEST, HOST, String(count)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // In a session of its own, which is what Linux shares processors between before it looks at single processes.
    detached: true,
  });
  const [message]: unknown[] = await Promise.race([once(host, 'message'), once(host, 'exit')]);
  if (!isHosted(message)) throw new Error('The server of the dashboard did not start');
  return { ...message, close: () => void host.kill() };
}

/**
 * Devices at work, in a process of their own: so many at a time pull what has not changed, pull one new memory, or push one, each
 * as fast as it is answered. Gets the load as a message and answers with the durations of all calls, in milliseconds.
 */
import { SYNC } from '#shared/sync/limits.ts';
import { newId } from '#shared/ids.ts';
import { headersOf, pullAll, pullText } from './pulls.ts';

/** One device of a person who has a workspace to themselves. */
export interface LoadDevice {
  token: string;
  workspaceId: string;
}

export interface DeviceLoad {
  url: string;
  devices: readonly LoadDevice[];
  what: 'nothing' | 'memory' | 'push';
  atOnce: number;
  ms: number;
}

let pushes = 0;

async function push(url: string, { token, workspaceId }: LoadDevice): Promise<void> {
  pushes += 1;
  const clientID = `client-${process.pid}-${pushes}`;
  const args = { id: newId('memory'), at: new Date().toISOString(), origin: 'web', title: `Push ${pushes}` };
  const response = await fetch(`${url}/v1/sync/${workspaceId}/push`, {
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify({
      pushVersion: 1,
      schemaVersion: SYNC.schemaVersion,
      profileID: 'bench',
      clientGroupID: `group-${workspaceId.slice(3)}`,
      mutations: [{ clientID, id: 1, name: 'memory.create', args, timestamp: 1 }],
    }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"error"')) throw new Error(`A push failed: ${response.status} ${text}`);
}

async function run({ url, devices, what, atOnce, ms }: DeviceLoad): Promise<number[]> {
  const durations: number[] = [];
  const work = async (first: number) => {
    const own = devices.filter((_, at) => at % atOnce === first);
    const cookies = new Map<LoadDevice, unknown>();
    for (const device of what === 'push' ? [] : own) {
      cookies.set(device, (await pullAll({ url, token: device.token }, device.workspaceId)).cookie);
      // It is found again and again, since the cookie stays what it is.
      if (what === 'memory') await push(url, device);
    }
    return async () => {
      for (let turn = 0; performance.now() < until; turn += 1) {
        const device = own[turn % own.length];
        if (device === undefined) return;
        const begin = performance.now();
        if (what === 'push') await push(url, device);
        else await pullText({ url, token: device.token }, device.workspaceId, cookies.get(device));
        durations.push(performance.now() - begin);
      }
    };
  };
  const workers = await Promise.all(Array.from({ length: atOnce }, (_, first) => work(first)));
  process.send?.('ready');
  await new Promise((resolve) => process.once('message', resolve));
  const until = performance.now() + ms;
  await Promise.all(workers.map((worker) => worker()));
  return durations;
}

process.once('message', (load: DeviceLoad) => {
  void run(load).then((durations) => process.send?.(durations, () => process.exit()));
});

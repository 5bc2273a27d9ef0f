/**
 * The clients of the write benchmark, in a thread of their own so that they do not take the server's time: so many
 * writers create memories over REST, each as fast as it is answered. It posts the durations of all calls.
 */
import { parentPort, workerData } from 'node:worker_threads';

/** What the generator is told. */
export interface WriteLoad {
  url: string;
  tokens: readonly string[];
  workspaceId: string;
  writers: number;
  writes: number;
}

async function generate({ url, tokens, workspaceId, writers, writes }: WriteLoad): Promise<number[]> {
  const durations: number[] = [];
  let next = 0;
  const write = async (n: number) => {
    const response = await fetch(`${url}/v1/memories`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens[n % tokens.length] ?? ''}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify({ workspaceId, title: `Write ${n}`, notes: 'A line of text.' }),
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`A write failed: ${response.status} ${text}`);
  };
  const writer = async () => {
    while (next < writes) {
      const begin = performance.now();
      await write((next += 1));
      durations.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return durations;
}

const load: WriteLoad = workerData;
parentPort?.postMessage(await generate(load));

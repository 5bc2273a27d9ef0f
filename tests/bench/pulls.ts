/** Pulls over HTTP for measurements: one answer as text, or all pages of a first sync. */
import type { BenchWorld } from './bench-world.ts';

type Server = Pick<BenchWorld, 'url' | 'token'>;

/** Bytes as they are, so that no side is charged for unpacking. */
export function headersOf(token: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'accept-encoding': 'identity',
  };
}

interface Pulled {
  cookie: unknown;
  patch: { key?: string; value?: { done?: boolean } }[];
}

/** One pull. */
export async function pullText(world: Server, realmId: string, cookie: unknown): Promise<string> {
  const response = await fetch(`${world.url}/v1/sync/${realmId}/pull`, {
    method: 'POST',
    headers: headersOf(world.token),
    body: JSON.stringify({
      pullVersion: 1,
      schemaVersion: '1',
      profileID: 'bench',
      clientGroupID: 'bench-group',
      cookie,
    }),
  });
  if (!response.ok) throw new Error(`A pull failed: ${response.status} ${await response.text()}`);
  return response.text();
}

/** Pulls until the replica is complete; returns how long each page took. */
export async function pullAll(world: Server, realmId: string): Promise<{ cookie: unknown; pages: number[] }> {
  const pages: number[] = [];
  for (let cookie: unknown = null; ;) {
    const begin = performance.now();
    const text = await pullText(world, realmId, cookie);
    pages.push(performance.now() - begin);
    const answer: Pulled = JSON.parse(text);
    cookie = answer.cookie;
    if (answer.patch.some((operation) => operation.value?.done === true)) return { cookie, pages };
  }
}

/** Uploads of files through the API, and what comes back at the signed address. */
import type { Agent } from './agent.ts';
import { reachable, type World } from './world.ts';

interface Upload {
  workspaceId: string;
  bytes: string | Uint8Array;
  name: string;
  payload?: Record<string, unknown>;
}

/** Sends a file as its person or program would. */
export async function uploadFile(
  world: World,
  { token }: Pick<Agent, 'token'>,
  { workspaceId, bytes, name, payload }: Upload,
) {
  const form = new FormData();
  form.set('payload', JSON.stringify({ workspaceId, ...payload }));
  form.set('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name);
  const response = await fetch(`${world.url}/v1/memories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'x-upload': 'file' },
    body: form,
  });
  return { status: response.status, json: JSON.parse(await response.text()) };
}

/** Fetches a public address of the world. */
export function fetchPublic(world: World, address: string, init?: RequestInit): Promise<Response> {
  return fetch(reachable(world, address), init);
}

/** Files that are sent in parts, as a program would send them. */
import { randomBytes } from 'node:crypto';
import { PART_TYPE, TUS_VERSION } from '#shared/capture/upload-limits.ts';

/** Who sends, and where. */
export interface PartsAt {
  url: string;
  token: string;
  workspaceId: string;
}

interface Begun {
  bytes: number;
  filename?: string;
  id?: string;
  spaceId?: string;
  filetype?: string;
  purpose?: string;
}

/** A PDF of this size that no other test has. */
export const anyPdf = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(bytes - 9)]);

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The calls of one sender. */
export function partsAt({ url, token, workspaceId }: PartsAt) {
  const headers = { ...(token !== '' && { authorization: `Bearer ${token}` }), 'tus-resumable': TUS_VERSION };
  const address = (id: string) => `${url}/v1/uploads/${workspaceId}/${id}`;
  const read = async (response: Response) => {
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      offset: response.headers.get('upload-offset'),
      json: text === '' ? undefined : JSON.parse(text),
    };
  };
  const calls = {
    headers,
    address,
    begin: async ({ bytes, filename = 'large.pdf', ...facts }: Begun) => {
      const metadata = Object.entries({ filename, ...facts }).map(
        ([key, value]) => `${key} ${base64(value)}`,
      );
      const response = await fetch(`${url}/v1/uploads/${workspaceId}`, {
        method: 'POST',
        headers: { ...headers, 'upload-length': String(bytes), 'upload-metadata': metadata.join(',') },
      });
      return read(response);
    },
    state: async (id: string) => read(await fetch(address(id), { headers })),
    append: async (id: string, at: number | string, part: Uint8Array, other: Record<string, string> = {}) =>
      read(
        await fetch(address(id), {
          method: 'PATCH',
          headers: { ...headers, 'content-type': PART_TYPE, 'upload-offset': String(at), ...other },
          body: new Uint8Array(part),
        }),
      ),
    remove: async (id: string) => read(await fetch(address(id), { method: 'DELETE', headers })),
    finish: async (id: string, payload: Record<string, unknown> = {}, path = '/v1/memories') =>
      read(
        await fetch(`${url}${path}`, {
          method: 'POST',
          headers: { ...headers, 'x-upload': id, 'content-type': 'application/json' },
          body: JSON.stringify({ workspaceId, ...payload }),
        }),
      ),
  };
  /** Begins an upload and returns its id. */
  const begun = async (bytes: number, facts: Omit<Begun, 'bytes'> = {}): Promise<string> => {
    const { status, json } = await calls.begin({ bytes, ...facts });
    if (status !== 201) throw new Error(`An upload did not begin: ${status}`);
    return String(json.result.id);
  };
  /** Sends a whole file in two parts. */
  const sent = async (file: Buffer, facts: Omit<Begun, 'bytes'> = {}): Promise<string> => {
    const id = await begun(file.length, facts);
    const half = Math.ceil(file.length / 2);
    await calls.append(id, 0, file.subarray(0, half));
    const { offset } = await calls.append(id, half, file.subarray(half));
    if (offset !== String(file.length)) throw new Error('The file did not arrive');
    return id;
  };
  return { ...calls, begun, sent };
}

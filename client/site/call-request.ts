/** The request that a reader of the API reference has filled in, from the texts of the form. Knows no page and no network. */
import { fillPath } from '#shared/define/fill-path.ts';
import type { ApiOperation } from '#shared/openapi/operations.ts';

/** Values of the form. */
export interface FilledCall {
  key: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: string;
  file: File | undefined;
}

/** The first field that has to be changed, and how. */
export interface CallProblem {
  field: string;
  words: string;
}

export interface CallRequest {
  path: string;
  init: RequestInit;
}

const KEY_WORDS = { key: 'API key', session: 'session token', token: 'access token' } as const;

/** Label of the secret of an operation; undefined when it needs none. */
export function keyLabelOf({ proof }: Pick<ApiOperation, 'proof'>): string | undefined {
  return proof === 'none' || proof === 'client' ? undefined : KEY_WORDS[proof];
}

/** The request, or what is missing from it. */
export function requestFrom(operation: ApiOperation, filled: FilledCall): CallRequest | CallProblem {
  const keyLabel = keyLabelOf(operation);
  const key = filled.key.trim();
  if (keyLabel !== undefined && key === '') return { field: 'key', words: `Enter your ${keyLabel}.` };
  // Other characters cannot be sent in a header and are in no key.
  if (/[^\x21-\x7e]/.test(key))
    return { field: 'key', words: 'A key has no spaces and no special characters.' };
  const empty = Object.entries(filled.params).find(([, value]) => value.trim() === '');
  if (empty) return { field: `params ${empty[0]}`, words: `Enter ${empty[0]}.` };
  const query = Object.entries(filled.query).filter(([, value]) => value !== '');
  const search = new URLSearchParams(query).toString();
  const body = bodyFrom(operation, filled);
  if ('words' in body) return body;
  return {
    path: fillPath(operation.path, trimmed(filled.params)) + (search === '' ? '' : `?${search}`),
    init: {
      method: operation.method,
      // The session of a reader who is signed in must not replace the key.
      credentials: 'omit',
      redirect: 'error',
      ...(body.body === undefined ? {} : { body: body.body }),
      headers: {
        accept: operation.answer === 'events' ? 'text/event-stream' : 'application/json, */*;q=0.5',
        ...(keyLabel === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body.type === undefined ? {} : { 'content-type': body.type }),
      },
    },
  };
}

function trimmed(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
}

interface Body {
  body?: string | FormData;
  type?: string;
}

function bodyFrom({ body: shown }: ApiOperation, { body: text, file }: FilledCall): Body | CallProblem {
  if (!shown) return {};
  if (shown.type === 'json' && text.trim() === '') return {};
  const fault = jsonFault(text);
  if (fault !== undefined) return { field: 'body', words: `The body is not valid JSON: ${fault}` };
  if (shown.type === 'json') return { body: text, type: 'application/json' };
  if (!file) return { field: 'file', words: 'Choose a file.' };
  const form = new FormData();
  form.set('payload', text);
  form.set('file', file);
  return { body: form };
}

function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

// How a REST call is declared. One row drives the Express route, parsing, authorization, the typed client, OpenAPI
// and the contract tests. Also the wire envelope of success.
import { z } from 'zod';
import type { Scope } from '../api-keys/scopes.ts';
import { BODY_LIMITS } from '../constants.ts';
import type { ErrorCode } from '../errors.ts';

/**
 * Who may call. `public` needs no credential. `user` accepts a session, or a key or token with the scope; `member` also needs
 * the person to be a member of the workspace named by `workspaceId` in path or body. `session` and `session_member` are the
 * same for interactive sessions alone: keys and tokens are refused.
 */
type Access =
  | { auth: 'public' | 'session' | 'session_member'; scope?: undefined }
  | {
      auth: 'user' | 'member';
      /** Scopes that a key or token must have, all of them; sessions have every scope. */
      scope: Scope | readonly Scope[];
    };
export type EndpointAuth = Access['auth'];

/** Class of rate limit; the limits are in server/http/rate-limit.ts. */
export type RateClass =
  | 'read'
  | 'write'
  | 'search'
  | 'rating'
  | 'export'
  | 'archive'
  | 'login'
  | 'signup'
  | 'capture'
  | 'report'
  | 'question'
  | 'ask_on'
  | 'media'
  | 'oauth'
  | 'oauth_register'
  | 'mcp'
  | 'sync';

export type AnyEndpoint = Access & EndpointFacts;

interface EndpointFacts {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path in the form of OpenAPI, for example `/v1/memories/{workspaceId}/{id}`. */
  path: string;
  /** One sentence for the API reference. */
  summary: string;
  /** Class of rate limit; by default `read` for GET and `write` for others. */
  rate?: RateClass;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Fields that the example of the body in the API reference has beside the required ones. */
  example?: Readonly<Record<string, unknown>>;
  /** Schema of `result`. */
  result: z.ZodType;
  /** The response has the `meta` of a page. */
  list?: true;
  /** The response has a secret that is shown once; the copy stored for repeated requests is encrypted. */
  secret?: true;
  /** Status of success when it is not 200. */
  status?: 201 | 202 | 204;
  /** Further statuses of success, with the schema of `result`; null where there is no body. */
  also?: Readonly<Partial<Record<200 | 201 | 304, z.ZodType | null>>>;
  /** json = the envelope (default); plain = the result itself as JSON; file = text or bytes of another media type; stream = server-sent events. */
  answer?: 'json' | 'plain' | 'file' | 'stream';
  /** Media type of a file answer. */
  mediaType?: string;
  /** Schema of a file response when it is JSON, always or on request, for the documentation. */
  content?: z.ZodType;
  /** Failures that do not follow from the rest of the row, for the documentation. */
  refusals?: readonly ErrorCode[];
  /** Shows and changes only what keys and tokens for chosen spaces may see, so these may call it too. */
  limitable?: true;
  /**
   * Of a PUT, PATCH or DELETE: name of the call that reads the changed row, when it is not the GET of the same path. If-Match
   * is compared with its ETag.
   */
  stateCall?: string;
  /** Guests may call it too, who read and write only content granted to them; sessions only, as guests have no keys. */
  guests?: true;
  /** A POST that uses no disk space: served, like reading, while the disk is nearly full. */
  spaceless?: true;
  /** The call is a search and lists 418 in its documented responses. */
  search?: true;
  /** The body may come as multipart/form-data with the parts "payload" (JSON) and "file" of at most this many bytes. */
  multipart?: { maxBytes: number; json?: true };
  /** The body is bytes of this media type, which the handler reads as they arrive. */
  bytes?: { mediaType: string };
  /** Headers of the call, for the documentation; the handler reads them. */
  headers?: z.ZodObject;
}

/** Declares an endpoint; see the `endpoints.ts` of each feature. */
export function defineEndpoint<const C extends AnyEndpoint>(config: C): C {
  return config;
}

/** Whether the call concerns one workspace, of which the caller must be a member. */
export function isMemberCall({ auth }: Pick<AnyEndpoint, 'auth'>): boolean {
  return auth === 'member' || auth === 'session_member';
}

/** Whether only interactive sessions may make the call. */
export function isSessionCall({ auth }: Pick<AnyEndpoint, 'auth'>): boolean {
  return auth === 'session' || auth === 'session_member';
}

/** The scopes that a key or token must have for the call. */
export function scopesOf({ scope = [] }: Pick<AnyEndpoint, 'scope'>): readonly Scope[] {
  return typeof scope === 'string' ? [scope] : scope;
}

/** The class in which calls are counted. */
export function rateClassOf({ rate, method }: Pick<AnyEndpoint, 'rate' | 'method'>): RateClass {
  return rate ?? (method === 'GET' ? 'read' : 'write');
}

/**
 * For each PUT, PATCH and DELETE of a row, the GET that reads the row. Calls that change no single readable row, such as
 * ending the connection of an app, have none.
 */
export function stateCallsOf(endpoints: Readonly<Record<string, AnyEndpoint>>): ReadonlyMap<string, string> {
  const rows = Object.entries(endpoints);
  const reads = new Map(rows.flatMap(([name, { method, path }]) => (method === 'GET' ? [[path, name]] : [])));
  return new Map(
    rows.flatMap(([name, { method, path, stateCall = reads.get(path) }]): [string, string][] =>
      method === 'GET' || method === 'POST' || stateCall === undefined ? [] : [[name, stateCall]],
    ),
  );
}

/** Bytes that the body of a call may have: little where the sender is unknown. */
export function bodyLimitOf({ auth }: Pick<AnyEndpoint, 'auth'>): number {
  return auth === 'public' ? BODY_LIMITS.anonymous : BODY_LIMITS.json;
}

type Declared<C, K extends string> = C extends Record<K, infer S extends z.ZodType> ? S : never;
type OutputOf<C, K extends string> = [Declared<C, K>] extends [never]
  ? // oxlint-disable-next-line typescript/no-generated-empty-object-type -- A call without parameters has none to read.
    Record<never, never>
  : z.output<Declared<C, K>>;
type InputOf<C, K extends string> = [Declared<C, K>] extends [never] ? undefined : z.input<Declared<C, K>>;

/** Parsed path parameters, query and body of a call, and its result. */
export type ParamsOf<C extends AnyEndpoint> = OutputOf<C, 'params'>;
export type QueryOf<C extends AnyEndpoint> = OutputOf<C, 'query'>;
export type BodyOf<C extends AnyEndpoint> = [Declared<C, 'body'>] extends [never]
  ? undefined
  : z.output<Declared<C, 'body'>>;
export type ResultOf<C extends AnyEndpoint> = z.output<C['result']>;

/** Request parts for a caller of the typed client: only those that the row declares. */
export type RequestOf<C extends AnyEndpoint> = (InputOf<C, 'params'> extends undefined
  ? { params?: undefined }
  : { params: InputOf<C, 'params'> }) &
  (InputOf<C, 'query'> extends undefined ? { query?: undefined } : { query?: InputOf<C, 'query'> }) &
  (InputOf<C, 'body'> extends undefined ? { body?: undefined } : { body: InputOf<C, 'body'> });

export const listMeta = z.object({
  page: z.number(),
  perPage: z.number(),
  total: z.number(),
  orderBy: z.string(),
  order: z.enum(['asc', 'desc']),
  nextCursor: z.string().nullable().optional(),
});
export type ListMeta = z.infer<typeof listMeta>;

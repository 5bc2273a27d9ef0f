// How a REST call is declared. One row drives the Express route, parsing, authorization, the typed client, OpenAPI
// and the contract tests. Also the wire envelope of success (PRODUCT 5).
import { z } from 'zod';
import type { Scope } from '../api-keys/scopes.ts';
import { BODY_LIMITS } from '../constants.ts';

/**
 * public = nobody needs to sign in; session = an interactive session only; user = a session, key or token with the
 * scope; member = the same, and the person is a member of the workspace named by `workspaceId` in path or body.
 */
export type EndpointAuth = 'public' | 'session' | 'user' | 'member';

/** Class of rate limit (SECURITY 3.13); the limits stand in server/http/rate-limit.ts. */
export type RateClass =
  | 'read'
  | 'write'
  | 'search'
  | 'login'
  | 'signup'
  | 'capture'
  | 'report'
  | 'question'
  | 'media'
  | 'sync';

/** One REST call as data. */
export interface AnyEndpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path in the specification's form, for example `/v1/memories/{workspaceId}/{id}`. */
  path: string;
  /** One sentence for the API reference. */
  summary: string;
  auth: EndpointAuth;
  /** Scope that a key or token needs; sessions have all. */
  scope?: Scope;
  /** Class of rate limit; GET is `read` and everything else `write` unless said otherwise. */
  rate?: RateClass;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Schema of `result`. */
  result: z.ZodType;
  /** The answer carries `meta` of a page. */
  list?: true;
  /** Status of success when it is not 200. */
  status?: 201 | 202;
  /** json = the envelope (default); plain = the result itself as JSON; file = text or bytes of another media type; stream = server-sent events. */
  answer?: 'json' | 'plain' | 'file' | 'stream';
  /** Media type of a file answer. */
  mediaType?: string;
  /** The call is a search and lists 418 in its documented answers. */
  search?: true;
  /** The body may come as multipart/form-data with the parts "payload" (JSON) and "file" of at most so many bytes. */
  multipart?: { maxBytes: number; json?: true };
}

/** Declares an endpoint; see the `endpoints.ts` of each feature. */
export function defineEndpoint<const C extends AnyEndpoint>(config: C): C {
  return config;
}

/** Bytes that the body of a call may have: little where nobody needs to sign in. */
export function bodyLimitOf({ auth }: Pick<AnyEndpoint, 'auth'>): number {
  return auth === 'public' ? BODY_LIMITS.anonymous : BODY_LIMITS.json;
}

type Declared<C, K extends string> = C extends Record<K, infer S extends z.ZodType> ? S : never;
type OutputOf<C, K extends string> = [Declared<C, K>] extends [never]
  ? Record<never, never>
  : z.output<Declared<C, K>>;
type InputOf<C, K extends string> = [Declared<C, K>] extends [never] ? undefined : z.input<Declared<C, K>>;

/** Parsed path parameters, query and body of a call, and what it answers. */
export type ParamsOf<C extends AnyEndpoint> = OutputOf<C, 'params'>;
export type QueryOf<C extends AnyEndpoint> = OutputOf<C, 'query'>;
export type BodyOf<C extends AnyEndpoint> = [Declared<C, 'body'>] extends [never]
  ? undefined
  : z.output<Declared<C, 'body'>>;
export type ResultOf<C extends AnyEndpoint> = z.output<C['result']>;

/** What a caller of the typed client hands over: only the parts that the row declares. */
export type RequestOf<C extends AnyEndpoint> = (InputOf<C, 'params'> extends undefined
  ? { params?: undefined }
  : { params: InputOf<C, 'params'> }) &
  (InputOf<C, 'query'> extends undefined ? { query?: undefined } : { query?: InputOf<C, 'query'> }) &
  (InputOf<C, 'body'> extends undefined ? { body?: undefined } : { body: InputOf<C, 'body'> });

/** The page of a list answer. */
export const listMeta = z.object({
  page: z.number(),
  perPage: z.number(),
  total: z.number(),
  orderBy: z.string(),
  order: z.enum(['asc', 'desc']),
});
export type ListMeta = z.infer<typeof listMeta>;

/** Wire form of success. */
export interface Success<T> {
  success: true;
  result: T;
  meta?: ListMeta | Record<string, unknown>;
}

/** The path with its parameters filled in and encoded. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

// Declares a call of an external standard: one whose bodies, responses and failures have the form that the standard defines.
// Such a row drives the route, the OpenAPI document, the reference and the contract tests, as those of our own calls do.
import type { z } from 'zod';
import type { RateClass } from './endpoint.ts';

export interface ProtocolCall {
  method: 'GET' | 'POST';
  /** Path in the form of OpenAPI. */
  path: string;
  /** Further paths at which the same is found. */
  aliases?: readonly string[];
  /** One sentence for the API reference. */
  summary: string;
  /** Credential of the caller: none, the client's own, or an access token. */
  proof: 'none' | 'client' | 'token';
  /** The class in which the call is counted; documents that anyone may read at any time have none. */
  rate?: RateClass;
  query?: z.ZodObject;
  body?: { type: 'form' | 'json'; schema: z.ZodType };
  /** Fields that the example of the request has beside the required ones. */
  example?: Readonly<Record<string, unknown>>;
  /** Response body; undefined for redirects and empty responses. */
  result?: z.ZodType;
  /** Values of the example of the answer that read better than made ones. */
  resultExample?: Readonly<Record<string, unknown>>;
  status: 200 | 201 | 303;
  /** Statuses of failures, all in the form of RFC 6749. */
  failures: readonly (400 | 401 | 403 | 413 | 415 | 429 | 500 | 503)[];
}

/** Declares a call of a standard. */
export function defineProtocolCall<const C extends ProtocolCall>(call: C): C {
  return call;
}

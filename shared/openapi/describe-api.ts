/**
 * The tables of calls as an OpenAPI 3.1 document; nothing in it is written by hand a second time. It uses rows, schemas and the
 * table of errors, and no single call.
 */
import { z } from 'zod';
import {
  isSessionCall,
  listMeta,
  rateClassOf,
  scopesOf,
  stateCallsOf,
  type AnyEndpoint,
} from '../define/endpoint.ts';
import { failureSchema } from '../define/failure-schema.ts';
import type { FieldTexts } from '../define/field-texts.ts';
import type { ProtocolCall } from '../define/protocol-call.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { toSchema } from './json-schema.ts';
import { exampleOf } from './examples.ts';
import { describeFilter } from './filters.ts';
import { describeProtocolCall, protocolSchemas } from './describe-protocol.ts';
import { addFieldTexts } from './describe-fields.ts';

type Json = Record<string, unknown>;

export interface ApiInfo {
  title: string;
  description: string;
  version: string;
  /** Address of the server, without a path. */
  origin: string;
  oauth: OauthInfo;
}

/** Where apps get tokens, and the meaning of each scope. */
interface OauthInfo {
  authorizationUrl: string;
  tokenUrl: string;
  scopes: Readonly<Record<string, string>>;
}

export interface ApiTables {
  endpoints: Readonly<Record<string, AnyEndpoint>>;
  /** Calls of standards, which have forms of their own. */
  protocol: Readonly<Record<string, ProtocolCall>>;
  fieldTexts: FieldTexts;
}

/** Describes the calls; schemas with an id become components. */
export function describeApi({ endpoints, protocol, fieldTexts }: ApiTables, info: ApiInfo): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  const stateCalls = stateCallsOf(endpoints);
  const states = new Set(stateCalls.values());
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = (paths[endpoint.path] ??= {});
    const guards = { takesIfMatch: stateCalls.has(name), isState: states.has(name) };
    path[endpoint.method.toLowerCase()] = describeOperation(name, endpoint, { schemas, ...guards });
  }
  for (const [name, call] of Object.entries(protocol)) {
    const path = (paths[call.path] ??= {});
    path[call.method.toLowerCase()] = describeProtocolCall(name, call, schemas);
  }
  schemas.Failure = toSchema(failureSchema, {});
  Object.assign(schemas, protocolSchemas());
  addFieldTexts(fieldTexts, paths, schemas);
  return {
    openapi: '3.1.0',
    info: { title: info.title, description: info.description, version: info.version },
    servers: [{ url: info.origin }],
    paths,
    components: {
      schemas,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: failureResponses(),
      securitySchemes: securitySchemes(info.oauth),
    },
  };
}

const text = { type: 'string' };

/** Headers of requests, by the kind of the operation. */
const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A random value of your own, such as a UUID. The same request with the same key is made once; its answer is sent again for a day.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '7f8d1c2e-5a40-4a43-9b2f-0d9a6f1b7c11',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the row as you read it; 412 when the row has changed since.',
    schema: text,
    example: '"pXq3kJ7tY0aVd2mRw8sLcF1nB5h"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of the row that you have; 304 without a body when it is still the same.',
    schema: text,
  },
};

const HEADERS = {
  RequestId: { description: 'Id of this request, for questions to support.', schema: text },
  ETag: { description: 'Names the state of the row, for If-Match.', schema: text },
  RateLimitPolicy: {
    description: 'The class of the call and its quota: q calls in w seconds.',
    schema: text,
    example: '"read";q=600;w=60',
  },
  RateLimit: {
    description: 'The class of the call and what is left of its quota: r calls for t seconds.',
    schema: text,
    example: '"read";r=599;t=60',
  },
  RetryAfter: { description: 'Seconds after which the call can be made again.', schema: { type: 'integer' } },
};

interface Surroundings {
  /** Components, which are added to. */
  schemas: Json;
  takesIfMatch: boolean;
  /** Reads a row that other calls change. */
  isState: boolean;
}

const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });
const LIMITS = { 'RateLimit-Policy': header('RateLimitPolicy'), RateLimit: header('RateLimit') };

function headersOf({ isState, takesIfMatch }: Surroundings, { method }: AnyEndpoint): Json {
  return {
    'X-Request-Id': header('RequestId'),
    ...LIMITS,
    ...(isState || (takesIfMatch && method !== 'DELETE') ? { ETag: header('ETag') } : {}),
  };
}

function headerParameters({ method }: AnyEndpoint, { takesIfMatch, isState }: Surroundings): Json[] {
  const names = [
    ...(method === 'POST' ? ['IdempotencyKey'] : []),
    ...(takesIfMatch ? ['IfMatch'] : []),
    ...(isState ? ['IfNoneMatch'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function securitySchemes({ authorizationUrl, tokenUrl, scopes }: OauthInfo): Json {
  const flow = { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes };
  return {
    bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or the token of a session.' },
    session: {
      type: 'http',
      scheme: 'bearer',
      description: 'The token of a session, from a log-in. API keys and OAuth tokens are refused with 403.',
    },
    oauth: {
      type: 'oauth2',
      description: 'A token that a person allowed an app; every client uses PKCE.',
      flows: { authorizationCode: flow },
    },
    client: {
      type: 'http',
      scheme: 'basic',
      description:
        'The id and the secret of an OAuth client; they may stand in the form instead. A client without a secret names its id there.',
    },
  };
}

/** Security requirement of an operation; none for public ones. */
function securityOf(endpoint: AnyEndpoint): Json {
  if (endpoint.auth === 'public') return {};
  if (isSessionCall(endpoint)) return { security: [{ session: [] }] };
  return { security: [{ bearer: [] }, { oauth: scopesOf(endpoint) }] };
}

function describeOperation(name: string, endpoint: AnyEndpoint, around: Surroundings): Json {
  const { schemas } = around;
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary: endpoint.summary,
    ...securityOf(endpoint),
    ...(endpoint.scope === undefined ? {} : { 'x-scope': endpoint.scope }),
    'x-rate-limit': rateClassOf(endpoint),
    parameters: [
      ...parametersOf(endpoint.params, 'path', schemas),
      ...parametersOf(endpoint.query, 'query', schemas),
      ...parametersOf(endpoint.headers, 'header', schemas),
      ...headerParameters(endpoint, around),
    ],
    ...(endpoint.body ? { requestBody: requestBodyOf(endpoint, endpoint.body, schemas) } : {}),
    ...(endpoint.bytes ? { requestBody: bytesBody(endpoint.bytes) } : {}),
    responses: {
      [endpoint.status ?? 200]: { ...successOf(endpoint, schemas), headers: headersOf(around, endpoint) },
      ...(around.isState ? { 304: NOT_MODIFIED } : {}),
      ...furtherSuccesses(endpoint, schemas),
      ...failuresOf(endpoint),
    },
  };
}

function parametersOf(
  object: z.ZodObject | undefined,
  place: 'path' | 'query' | 'header',
  schemas: Json,
): Json[] {
  return Object.entries(object?.shape ?? {}).map(([name, given]) => {
    const schema = given instanceof z.ZodType ? (describeFilter(given) ?? toSchema(given, schemas)) : {};
    const required = place === 'path' || (given instanceof z.ZodType && !given.safeParse(undefined).success);
    const example = required ? { example: exampleOf(schema, schemas, { name }) } : {};
    // One parameter for all values, as the server lists them itself.
    const form = schema['type'] === 'array' ? { style: 'form', explode: false } : {};
    return { name, in: place, required, schema, ...form, ...example };
  });
}

function requestBodyOf(endpoint: AnyEndpoint, body: z.ZodType, schemas: Json): Json {
  const schema = toSchema(body, schemas);
  const needed = exampleOf(schema, schemas, { requiredOnly: true });
  const example = endpoint.example ? { ...Object(needed), ...endpoint.example } : needed;
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const form = { type: 'object', properties: { payload: schema, file }, required: ['file'] };
  const content = {
    ...(endpoint.multipart && {
      'multipart/form-data': { schema: form, example: { payload: example, file: '…' } },
    }),
    ...((!endpoint.multipart || endpoint.multipart.json) && { 'application/json': { schema, example } }),
  };
  return { required: true, content };
}

function bytesBody({ mediaType }: { mediaType: string }): Json {
  return { required: true, content: { [mediaType]: { schema: { type: 'string' }, example: '…' } } };
}

function successOf(endpoint: AnyEndpoint, schemas: Json): Json {
  if (endpoint.status === 204) return { description: 'Done' };
  const result = toSchema(endpoint.result, schemas);
  if (endpoint.answer === 'file') {
    const type = (endpoint.mediaType ?? 'application/octet-stream').split(';', 1)[0] ?? '';
    const schema = endpoint.content && toSchema(endpoint.content, schemas);
    const json = schema && { 'application/json': { schema, example: exampleOf(schema, schemas) } };
    const text = { [type]: { schema: { type: 'string' }, example: '…' } };
    return { description: 'The file', content: { ...text, ...json } };
  }
  if (endpoint.answer === 'stream') {
    const example = 'event: ping\ndata: {}\n\n';
    const content = { 'text/event-stream': { schema: { type: 'string' }, example } };
    return { description: 'The events', content };
  }
  const plain = endpoint.answer === 'plain';
  const schema = plain ? result : envelope(endpoint, result, schemas);
  const shown = exampleOf(result, schemas);
  const meta = endpoint.list ? { meta: exampleOf(toSchema(listMeta, schemas), schemas) } : {};
  const example = plain ? shown : { success: true, result: shown, ...meta };
  return {
    description: plain ? 'The document' : 'Success',
    content: { 'application/json': { schema, example } },
  };
}

const NOT_MODIFIED = {
  description: 'The caller has it already',
  headers: { 'X-Request-Id': header('RequestId'), ...LIMITS },
};

function furtherSuccesses({ also = {} }: AnyEndpoint, schemas: Json): Json {
  const described = Object.entries(also).map(([status, result]) => {
    if (result === null) return [status, NOT_MODIFIED];
    const schema = envelope({}, toSchema(result, schemas), schemas);
    const content = { 'application/json': { schema, example: exampleOf(schema, schemas) } };
    return [status, { ...NOT_MODIFIED, description: 'Success', content }];
  });
  return Object.fromEntries(described);
}

function envelope({ list }: Pick<AnyEndpoint, 'list'>, result: unknown, schemas: Json): Json {
  const meta = list ? toSchema(listMeta.loose(), schemas) : { type: 'object' };
  return {
    type: 'object',
    properties: { success: { const: true }, result, meta },
    required: ['success', 'result', ...(list ? ['meta'] : [])],
  };
}

/** The failures that a call can return, by its input and who may call it. */
function failuresOf(endpoint: AnyEndpoint): Json {
  const writes = endpoint.method !== 'GET';
  // Every call refuses a token in its address with 401, those without an account, too.
  const codes: ErrorCode[] = [
    'bad_request',
    'unauthorized',
    'rate_limited',
    'internal',
    'bad_gateway',
    'unavailable',
  ];
  if (endpoint.auth !== 'public') codes.push('forbidden');
  if (endpoint.params || endpoint.body) codes.push('not_found');
  if (writes) codes.push('conflict');
  if (endpoint.body || endpoint.headers) codes.push('too_large', 'unsupported_media');
  // A write without a row to compare refuses If-Match, too.
  if (writes || endpoint.headers) codes.push('precondition_failed');
  if (endpoint.method === 'POST') codes.push('idempotency_mismatch');
  if (endpoint.query?.shape.cursor !== undefined) codes.push('gone');
  if (endpoint.search) codes.push('teapot');
  codes.push(...(endpoint.refusals ?? []));
  return Object.fromEntries(
    codes.map((code) => [ERRORS[code].status, { $ref: `#/components/responses/${code}` }]),
  );
}

/** Details more specific than the message of the status. */
const FAILURE_DETAILS: Readonly<Record<string, string>> = {
  invalid: 'title: At most 300 characters',
  unauthorized: 'The session has ended, please sign in again',
  forbidden: 'The key or token lacks the scope memories:read',
  not_found: 'Memory not found',
  conflict: 'This is already taken',
  precondition_failed: 'It has changed since you read it; read it again and repeat the change',
  idempotency_mismatch: 'This Idempotency-Key was used for another request',
  rate_limited: 'Too many requests, try again in 30 seconds',
};

function failureResponses(): Json {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([code, { message }]) => [
      code,
      {
        description: message,
        headers: {
          'X-Request-Id': header('RequestId'),
          ...(code === 'rate_limited' ? { ...LIMITS, 'Retry-After': header('RetryAfter') } : {}),
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Failure' },
            example: { success: false, error: { message, detail: FAILURE_DETAILS[code] ?? message, code } },
          },
        },
      },
    ]),
  );
}

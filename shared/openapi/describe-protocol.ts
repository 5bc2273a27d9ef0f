/** Calls of standards in the OpenAPI document: forms, responses and failures as the standards define them. */
import { z } from 'zod';
import type { ProtocolCall } from '../define/protocol-call.ts';
import { OAUTH_ERRORS } from '../errors.ts';
import { toSchema } from './json-schema.ts';
import { exampleOf } from './examples.ts';

type Json = Record<string, unknown>;

/** RFC 6749 section 5.2, with the sentence and the detail of all other calls beside it. */
const failure = z.looseObject({
  error: z.string(),
  error_description: z.string(),
  message: z.string(),
  detail: z.string(),
});

/** Headers of a refusal of too many calls. */
const LIMITED = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'Retry-After': { $ref: '#/components/headers/RetryAfter' },
};

/** Word and sentence of the example of a failure. */
const FAILURES: Readonly<Record<number, readonly [string, string]>> = {
  400: ['invalid_request', OAUTH_ERRORS.request],
  401: ['invalid_client', OAUTH_ERRORS.client],
  403: ['insufficient_scope', OAUTH_ERRORS.token],
  413: ['invalid_request', OAUTH_ERRORS.request],
  415: ['invalid_request', OAUTH_ERRORS.request],
  429: ['temporarily_unavailable', OAUTH_ERRORS.request],
  500: ['server_error', OAUTH_ERRORS.internal],
  503: ['temporarily_unavailable', OAUTH_ERRORS.internal],
};

/** Components that every call of a standard points at. */
export function protocolSchemas(): Json {
  return { OauthFailure: toSchema(failure, {}) };
}

/** One call; `schemas` are the components, which are added to. */
export function describeProtocolCall(name: string, call: ProtocolCall, schemas: Json): Json {
  const { aliases = [], body, proof, rate, status } = call;
  const described: Json = {
    operationId: name,
    tags: ['oauth', 'protocol'],
    summary: call.summary,
    parameters: parametersOf(call, schemas),
    responses: { [status]: successOf(call, schemas), ...failuresOf(call) },
  };
  if (rate) described['x-rate-limit'] = rate;
  if (aliases.length > 0) described.description = `Also at ${aliases.join(' and ')}.`;
  if (proof !== 'none') described.security = [{ [proof === 'token' ? 'oauth' : 'client']: [] }];
  if (body) {
    const schema = toSchema(body.schema, schemas);
    const media = body.type === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
    const example = { ...Object(exampleOf(schema, schemas, { requiredOnly: true })), ...call.example };
    described.requestBody = { required: true, content: { [media]: { schema, example } } };
  }
  return described;
}

function parametersOf({ query, example = {} }: ProtocolCall, schemas: Json): Json[] {
  return Object.entries(query?.shape ?? {}).map(([name, given]) => {
    const schema = given instanceof z.ZodType ? toSchema(given, schemas) : {};
    const required = given instanceof z.ZodType && !given.safeParse(undefined).success;
    const parameter: Json = { name, in: 'query', required, schema };
    if (required) parameter.example = example[name] ?? exampleOf(schema, schemas, { name });
    return parameter;
  });
}

function successOf({ result, resultExample, status }: ProtocolCall, schemas: Json): Json {
  if (status === 303) {
    const headers = { Location: { description: 'Where the browser goes next.', schema: { type: 'string' } } };
    return { description: 'On to the page where the person decides, or back to the client', headers };
  }
  if (!result) return { description: 'Done' };
  const schema = toSchema(result, schemas);
  const example = { ...Object(exampleOf(schema, schemas)), ...resultExample };
  return { description: 'The document', content: { 'application/json': { schema, example } } };
}

function failuresOf({ failures, proof }: ProtocolCall): Json {
  return Object.fromEntries(
    failures.map((number) => {
      const isToken = proof === 'token' && number === 401;
      const [error, sentence] = isToken
        ? ['invalid_token', OAUTH_ERRORS.token]
        : (FAILURES[number] ?? ['', '']);
      const example = { error, error_description: sentence, message: sentence, detail: sentence };
      const schema = { $ref: '#/components/schemas/OauthFailure' };
      const headers = number === 429 ? { headers: LIMITED } : {};
      const content = { 'application/json': { schema, example } };
      return [number, { description: sentence, ...headers, content }];
    }),
  );
}

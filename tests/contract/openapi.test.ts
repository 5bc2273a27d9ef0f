/** The OpenAPI document: valid by a public validator, complete, and compared with the one that was last agreed on. */
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, it } from 'vitest';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { PROTOCOL_CALLS } from '#shared/oauth/protocol-calls.ts';
import { apiDescription } from '#shared/openapi/api-description.ts';

const document = apiDescription('https://loci.example');
const copy = () => structuredClone(document);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const parsed: Parameters<typeof SwaggerParser.validate>[0] = JSON.parse(JSON.stringify(document));
    await expect(SwaggerParser.validate(parsed)).resolves.toBeDefined();
  });

  it('has one operation for each endpoint and each call of a standard, under its name, path and method', () => {
    const described = new Map<string, string>();
    for (const [path, operations] of Object.entries(Object(copy().paths))) {
      for (const [method, operation] of Object.entries(Object(operations))) {
        described.set(Object(operation).operationId, `${method.toUpperCase()} ${path}`);
      }
    }
    const declared = Object.entries({ ...ENDPOINTS, ...PROTOCOL_CALLS }).map(([name, { method, path }]) => [
      name,
      `${method} ${path}`,
    ]);
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(declared));
  });

  it('names the entities as components and knows ids by their pattern', () => {
    const { schemas } = Object(copy().components);
    for (const name of ['User', 'Workspace', 'Memory', 'Space', 'Thread', 'Message', 'Failure']) {
      expect(Object.keys(schemas)).toContain(name);
    }
    expect(schemas.Memory.properties.id).toMatchObject({
      type: 'string',
      pattern: '^mem_[abcdefghijkmnopqrstuvwxyz123456789]{32}$',
    });
    expect(schemas.Memory.properties.tags).toMatchObject({ type: 'array' });
    expect(Object.keys(schemas.Memory.properties)).not.toContain('urlKey');
  });

  it('lists 418 for searches alone', () => {
    const teapots = Object.values(Object(copy().paths)).flatMap((operations) =>
      Object.values(Object(operations))
        .filter((operation) => '418' in Object(operation).responses)
        .map((operation) => String(Object(operation).operationId)),
    );
    expect(new Set(teapots)).toEqual(
      new Set(
        Object.entries(ENDPOINTS)
          .filter(([, row]) => 'search' in row)
          .map(([name]) => name),
      ),
    );
  });

  it('says of each operation with what it is called: a session, a key, or a token with scopes', () => {
    const { securitySchemes } = Object(copy().components);
    const { scopes } = securitySchemes.oauth.flows.authorizationCode;
    const operations = new Map(
      Object.values(Object(copy().paths)).flatMap((each) =>
        Object.values(Object(each)).map((operation) => [Object(operation).operationId, Object(operation)]),
      ),
    );
    for (const [name, { auth, scope = [] }] of Object.entries<AnyEndpoint>(ENDPOINTS)) {
      const { security } = operations.get(name);
      const named = [scope].flat();
      expect(Object.keys(scopes)).toEqual(expect.arrayContaining(named));
      const isSession = auth === 'session' || auth === 'session_member';
      const expected = isSession ? [{ session: [] }] : [{ bearer: [] }, { oauth: named }];
      expect([name, security]).toEqual([name, auth === 'public' ? undefined : expected]);
    }
    const used = [...operations.values()].flatMap(({ security = [] }) =>
      security.flatMap((each: object) => Object.keys(each)),
    );
    expect(new Set(used)).toEqual(new Set(Object.keys(securitySchemes)));
  });

  it('is the one that was agreed on', async () => {
    const { paths, components } = Object(copy());
    const lines = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(Object(operations)).map(
        ([method, operation]) => `${method} ${path} ${compact(operation)}`,
      ),
    );
    const schemas = Object.entries(components.schemas).map(
      ([name, schema]) => `${name} ${JSON.stringify(schema)}`,
    );
    // One line for each call and component, so that a review shows what changed and nothing else.
    await expect([...lines, '', ...schemas, ''].join('\n')).toMatchFileSnapshot('./openapi.snapshot.txt');
  });
});

/** An operation without its failures, which follow from the rest. */
function compact(operation: unknown): string {
  const { responses, ...rest } = Object(operation);
  const success = Object.entries(responses).find(([status]) => /^[23]/.test(status));
  return JSON.stringify({ ...rest, success });
}

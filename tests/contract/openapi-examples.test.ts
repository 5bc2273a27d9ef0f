/** The examples of the OpenAPI document: every operation has them, and each is something that the server accepts or sends. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { failureSchema } from '#shared/define/failure-schema.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import type { ProtocolCall } from '#shared/define/protocol-call.ts';
import { PROTOCOL_CALLS } from '#shared/oauth/protocol-calls.ts';
import { apiDescription } from '#shared/openapi/api-description.ts';

const media = z.object({ schema: z.unknown(), example: z.unknown() });
const operation = z.object({
  parameters: z.array(z.looseObject({ in: z.string().optional(), name: z.string().optional() })),
  requestBody: z.object({ content: z.record(z.string(), z.looseObject({})) }).optional(),
  responses: z.record(z.string(), z.looseObject({})),
});
const document = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.object({
      responses: z.record(z.string(), z.object({ content: z.record(z.string(), media) })),
    }),
  })
  .parse(structuredClone(apiDescription('https://loci.example')));

const endpoints: [string, AnyEndpoint][] = Object.entries(ENDPOINTS);
const protocol: [string, ProtocolCall][] = Object.entries(PROTOCOL_CALLS);

function operationOf({ path, method }: Pick<AnyEndpoint, 'path' | 'method'>): z.infer<typeof operation> {
  const found = document.paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`The document has no ${method} ${path}`);
  return found;
}

function exampleIn(content: unknown): unknown {
  const [first] = Object.values(z.record(z.string(), media).parse(content));
  return first?.example;
}

describe('the examples', () => {
  it.each(endpoints.filter(([, row]) => row.body && (!row.multipart || row.multipart.json)))(
    'of the body of %s are accepted',
    (_name, row) => {
      const content = operationOf(row).requestBody?.content['application/json'];
      const example: unknown = media.parse(content).example;
      expect(row.body?.safeParse(example).error?.issues ?? []).toEqual([]);
    },
  );

  it.each(endpoints.filter(([, row]) => row.status !== 204))(
    'of the answer of %s are what its schema allows',
    (_name, row) => {
      const success = operationOf(row).responses[String(row.status ?? 200)];
      const example = exampleIn(success?.['content']);
      expect(example).toBeDefined();
      if (row.content) {
        const json = z.record(z.string(), media).parse(success?.['content'])['application/json'];
        expect(row.content.safeParse(json?.example).error?.issues ?? []).toEqual([]);
      }
      if (row.answer === 'file' || row.answer === 'stream') return;
      const result: unknown = row.answer === 'plain' ? example : Object(example).result;
      expect(row.result.safeParse(result).error?.issues ?? []).toEqual([]);
    },
  );

  it.each(endpoints)('of the required parameters of %s are accepted', (_name, row) => {
    for (const { name, in: place, example } of operationOf(row).parameters) {
      if (example === undefined || name === undefined || place === 'header') continue;
      const schema = (place === 'path' ? row.params : row.query)?.shape[name];
      if (!(schema instanceof z.ZodType)) throw new Error(`${name} is not declared`);
      expect([name, schema.safeParse(example).success]).toEqual([name, true]);
    }
    const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const shown = operationOf(row).parameters.filter(({ in: place, example }) => place === 'path' && example);
    expect(shown.map(({ name }) => name)).toEqual(inPath);
  });

  it.each(protocol)('of %s are what its schemas allow', (_name, row) => {
    const { requestBody, responses, parameters } = operationOf(row);
    if (row.body) {
      const given = exampleIn(requestBody?.content);
      expect(given).toMatchObject(row.example ?? {});
      expect(row.body.schema.safeParse(given).error?.issues ?? []).toEqual([]);
    }
    const query = parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]]));
    if (row.query) expect(row.query.safeParse(Object.fromEntries(query)).error?.issues ?? []).toEqual([]);
    if (!row.result) return;
    const shown = exampleIn(responses[String(row.status)]?.['content']);
    expect(row.result.safeParse(shown).error?.issues ?? []).toEqual([]);
  });

  it('of failures have the form of every failure', () => {
    for (const [code, { content }] of Object.entries(document.components.responses)) {
      const example = failureSchema.parse(exampleIn(content));
      expect(example.error.code).toBe(code);
    }
  });
});

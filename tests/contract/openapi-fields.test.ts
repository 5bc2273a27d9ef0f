/** What the OpenAPI document says of fields: something of every one, and nothing of what does not exist. */
import { describe, expect, it } from 'vitest';
import { FIELD_TEXTS } from '#shared/field-texts.ts';
import { apiDescription } from '#shared/openapi/api-description.ts';

interface Field {
  place: string;
  name: string;
  description: unknown;
}

const { paths, components } = Object(structuredClone(apiDescription('https://loci.example')));

/** The fields of a schema and of everything inside it that is no component. */
function fieldsIn(place: string, schema: unknown): Field[] {
  if (typeof schema !== 'object') return [];
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf = [],
    oneOf = [],
    allOf = [],
    prefixItems = [],
  } = Object(schema);
  const inside = [items, additionalProperties, ...anyOf, ...oneOf, ...allOf, ...prefixItems];
  return [
    ...inside.flatMap((each) => fieldsIn(place, each)),
    ...Object.entries(properties).flatMap(([name, field]) => [
      { place, name, description: Object(field).description },
      ...fieldsIn(`${place}.${name}`, field),
    ]),
  ];
}

function fieldsOfCall(operation: Record<string, unknown>): Field[] {
  const { operationId: call, parameters, requestBody, responses } = operation;
  const contents = [requestBody, ...Object.values(Object(responses))].flatMap((part) =>
    Object.values(Object(Object(part).content)),
  );
  const own: { name?: string; description?: unknown }[] = [Object(parameters)].flat();
  return [
    ...own.flatMap(({ name, description }) =>
      name === undefined ? [] : [{ place: String(call), name, description }],
    ),
    ...contents.flatMap((media) => fieldsIn(String(call), Object(media).schema)),
  ];
}

const operations = Object.values<Record<string, Record<string, unknown>>>(paths).flatMap((each) =>
  Object.values(each),
);
const fields = [
  ...Object.entries(components.schemas).flatMap(([name, schema]) => fieldsIn(name, schema)),
  ...operations.flatMap(fieldsOfCall),
];

describe('descriptions of fields', () => {
  it('stand at every field of every request and answer', () => {
    expect(fields.length).toBeGreaterThan(2_500);
    const missing = fields.filter(({ description }) => typeof description !== 'string');
    expect(missing.map(({ place, name }) => `${place} ${name}`)).toEqual([]);
  });

  it('are sentences that fit into a table', () => {
    const wrong = fields.filter(
      ({ description }) =>
        !/^[A-Z0-9`"-].{1,218}\.$/u.test(String(description)) || /\n/.test(String(description)),
    );
    expect(
      new Set(wrong.map(({ place, name, description }) => `${place} ${name}: ${String(description)}`)),
    ).toEqual(new Set());
  });

  it('are written for nothing that does not exist', () => {
    const calls = operations.map(({ operationId }) => String(operationId));
    const kinds = calls.map((call) =>
      (call.split('.')[0] ?? '').replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    );
    const owners = new Set(['*', ...Object.keys(components.schemas), ...calls, ...kinds]);
    expect(Object.keys(FIELD_TEXTS).filter((owner) => !owners.has(owner))).toEqual([]);
    const names = new Set(fields.map(({ name }) => name));
    const unknown = Object.entries(FIELD_TEXTS).flatMap(([owner, texts]) =>
      Object.keys(texts).flatMap((key) =>
        names.has(key.split('.').at(-1) ?? '') ? [] : [`${owner} ${key}`],
      ),
    );
    expect(unknown).toEqual([]);
  });
});

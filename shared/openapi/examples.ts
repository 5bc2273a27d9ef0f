/**
 * Examples of values for the OpenAPI document, made from their JSON Schemas: fields with a known name get a value that
 * reads well, all others the simplest value that their schema allows. A test holds every example to its schema.
 */
import { ID_ALPHABET } from '../ids.ts';

type Json = Record<string, unknown>;

const TIME = '2026-11-21T09:30:00.000Z';
const ID = /^\^(?:([a-z_]+)_)?\[[a-z1-9]+\]\{(\d+)\}\$$/;

/** Example values by field name, used where the schema allows them. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  archived: [false],
  auth: ['BTBZMqHH6r4Tts7J_aSIgg'],
  citations: [[]],
  code: ['482915', 'not_found'],
  color: ['emerald'],
  content: ['When is high water on Friday?'],
  description: ['Tides, pilots and harbours of the Channel'],
  details: ['This is advertising.'],
  detail: ['There is no such memory'],
  domain: ['example.com'],
  email: ['ada@example.com'],
  excerpt: ['High water at nine.'],
  filename: ['tide-tables.md'],
  forename: ['Ada'],
  logoUrl: ['https://app.example/logo.png'],
  name: ['Channel crossing'],
  notes: ['High water at nine.'],
  order: ['desc'],
  p256dh: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
  page: [1],
  privacyPolicyUrl: ['https://app.example/privacy'],
  password: ['a quiet harbour at dawn'],
  perPage: [20],
  position: ['member'],
  query: ['tide tables'],
  redirectUris: [['https://app.example/callback']],
  result: [null],
  score: [4.2],
  scopes: [['memories:read', 'search:read']],
  slug: ['channel-crossing'],
  summary: ['When the tide turns in the Channel'],
  surname: ['Lovelace'],
  syncVersion: [42],
  tags: [['sea', 'harbour']],
  termsOfServiceUrl: ['https://app.example/terms'],
  title: ['Tide tables'],
  total: [1],
  url: ['https://example.com/tides'],
  username: ['ada'],
  visibility: ['workspace'],
  websiteUrl: ['https://app.example'],
  workspaceSlug: ['acme'],
};

/** An id of the form that a pattern describes, the same at every start. */
function idOfPattern(pattern: string): string | undefined {
  const [, prefix, length] = ID.exec(pattern) ?? [];
  if (length === undefined) return undefined;
  const random = Array.from(
    { length: Number(length) },
    (_, index) => ID_ALPHABET[(index * 7) % ID_ALPHABET.length],
  );
  return `${prefix === undefined ? '' : `${prefix}_`}${random.join('')}`;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema behind a reference and behind a choice: the first that is not null. */
function resolved(schema: unknown, components: Json): Json {
  if (!isObject(schema)) return {};
  if (typeof schema.$ref === 'string') {
    return resolved(components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)], components);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(choices)) return schema;
  return resolved(
    choices.find((choice) => !isObject(choice) || choice.type !== 'null'),
    components,
  );
}

function typeOf({ type }: Json): unknown {
  return Array.isArray(type) ? type.find((each) => each !== 'null') : type;
}

function fits(schema: Json, value: unknown): boolean {
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if (schema.const !== undefined) return schema.const === value;
  const type = typeOf(schema);
  if (typeof value === 'string') {
    if (type !== 'string' || (schema.format !== undefined && !value.includes('@'))) return false;
    return typeof schema.pattern !== 'string' || new RegExp(schema.pattern, 'u').test(value);
  }
  if (typeof value === 'number') return type === 'number' || type === 'integer';
  if (typeof value === 'boolean') return type === 'boolean';
  if (!Array.isArray(value) || type !== 'array') return false;
  const items = isObject(schema.items) ? schema.items : {};
  return value.every((item) => fits(items, item));
}

interface Shown {
  /** Name of the field that holds the value. */
  name?: string;
  /** Leaves out optional parts of a request. */
  requiredOnly?: boolean;
}

/** A value that the schema allows; `components` are the schemas that it may point at. */
export function exampleOf(schema: unknown, components: Json, shown: Shown = {}): unknown {
  const found = resolved(schema, components);
  const known = VALUES[shown.name ?? '']?.find((value) => fits(found, value));
  if (known !== undefined) return known;
  if (found.const !== undefined) return found.const;
  if (Array.isArray(found.enum)) return found.enum[0];
  if (found.default !== undefined) return found.default;
  switch (typeOf(found)) {
    case 'string':
      return textOf(found);
    case 'integer':
    case 'number':
      return typeof found.minimum === 'number' && found.minimum > 0 ? found.minimum : 1;
    case 'boolean':
      return false;
    case 'array':
      return (Array.isArray(found.prefixItems) ? found.prefixItems : [found.items]).map((item) =>
        exampleOf(item, components, { ...shown, name: '' }),
      );
    case 'object':
      return objectOf(found, components, shown);
    default:
      return null;
  }
}

function textOf({ pattern, format, minLength }: Json): string {
  if (format === 'date-time') return TIME;
  if (format === 'date') return TIME.slice(0, 10);
  if (format === 'idn-email' || format === 'email') return 'ada@example.com';
  if (format === 'uuid') return '5b1e9c52-6f0a-4c1e-9d5c-0f6a2d7c4b11';
  if (format === 'uri') return 'https://example.com/tides';
  const id = typeof pattern === 'string' ? idOfPattern(pattern) : undefined;
  if (id !== undefined) return id;
  const text = 'example';
  return typeof minLength === 'number' && minLength > text.length ? text.padEnd(minLength, '-') : text;
}

function objectOf({ properties, required }: Json, components: Json, { requiredOnly }: Shown): Json {
  if (!isObject(properties)) return {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const names = Object.keys(properties);
  const usual = names.filter((name) => needed.includes(name));
  // All fields of a change are optional; without any, the example would be empty.
  const some = usual.length > 0 ? usual : names.filter((name) => name in VALUES).slice(0, 2);
  return Object.fromEntries(
    (requiredOnly ? some : names).map((name) => [
      name,
      exampleOf(properties[name], components, { name, requiredOnly: requiredOnly === true }),
    ]),
  );
}

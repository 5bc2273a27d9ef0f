/**
 * The fields of requests and responses in the API reference, as Markdown tables, generated from the OpenAPI document so that
 * both agree. Components are described once on each page that names them. Build time only.
 */
import { apiDescription } from '#shared/openapi/api-description.ts';
import { SAMPLE_ORIGIN } from '#shared/openapi/samples.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  maxLength?: number;
  default?: unknown;
  description?: string;
}
type Content = Record<string, { schema: Schema }>;
interface Operation {
  parameters: { name?: string; in?: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}
interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

// Written by this product a moment ago, and read by nothing but its build.
const { paths, components } = apiDescription(SAMPLE_ORIGIN) as unknown as ApiDocument;

/** Bound of every filter of a list; repeating it would say nothing. */
const FILTER_LENGTH = 2_048;

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);
const headingOf = (name: string): string => `${name} object`;
const anchorOf = (name: string): string => headingOf(name).toLowerCase().replaceAll(' ', '-');
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

/** `string`, `one of a, b`, `list of string`, `string or null`, or the component that describes it. */
function typeName(schema: Schema): string {
  const { $ref, type, enum: values, const: fixed, anyOf, items } = schema;
  if ($ref) return `[${nameOf($ref)}](#${anchorOf(nameOf($ref))})`;
  if (values) return `one of ${values.map((value) => `\`${String(value)}\``).join(', ')}`;
  if (fixed !== undefined) return `\`${JSON.stringify(fixed)}\``;
  if (anyOf) return [...new Set(anyOf.map(typeName))].join(' or ');
  if (type === 'array') return items ? `list of ${typeName(items)}` : 'list';
  return Array.isArray(type) ? type.join(' or ') : (type ?? 'any');
}

interface Row {
  name: string;
  schema: Schema;
  isNeeded: boolean;
}

/** The fields of an object, each followed by those inside it that no component describes. */
function rowsOf(schema: Schema, before = ''): Row[] {
  const { properties = {}, required = [], anyOf = [], items } = schema;
  const own = Object.entries(properties).flatMap(([name, field]) => [
    { name: before + name, schema: field, isNeeded: required.includes(name) },
    ...rowsOf(field, `${before}${name}.`),
  ]);
  const inside = [...anyOf, ...(items ? [items] : [])].flatMap((each) => rowsOf(each, before));
  // Choices may share fields.
  return [...new Map([...inside, ...own].map((row) => [row.name, row])).values()];
}

function meaningOf({ description = '', maxLength, default: fallback }: Schema): string {
  const parts = [
    description === '' || /[.:]$/.test(description) ? description : `${description}.`,
    maxLength === undefined || maxLength === FILTER_LENGTH ? '' : `At most ${maxLength} characters.`,
    fallback === undefined ? '' : `Default \`${JSON.stringify(fallback)}\`.`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** Of what is sent, one column says what is needed. */
function requestTable(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(
    ({ name, schema, isNeeded }) =>
      `| \`${name}\` | ${cell(typeName(schema))} | ${isNeeded ? 'yes' : ''} | ${cell(meaningOf(schema))} |`,
  );
  return [`| ${title} | Type | Needed | Meaning |`, '| --- | --- | --- | --- |', ...lines, ''];
}

function answerTable(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(
    ({ name, schema }) => `| \`${name}\` | ${cell(typeName(schema))} | ${cell(meaningOf(schema))} |`,
  );
  return [`| ${title} | Type | Meaning |`, '| --- | --- | --- |', ...lines, ''];
}

function bodyTable(title: string, schema: Schema): string[] {
  const { anyOf } = schema;
  if (!anyOf) return requestTable(title, rowsOf(schema));
  const names = anyOf.map((each) => Object.keys(each.properties ?? {}).map((name) => `\`${name}\``));
  const choice = `${title}: ${names.map((each) => each.join(', ')).join('; or ')}.`;
  return [
    choice,
    '',
    ...requestTable(
      title,
      rowsOf(schema).map((row) => ({ ...row, isNeeded: false })),
    ),
  ];
}

/** Request and response fields of one call. */
export interface CallFields {
  /** Tables of everything that can be sent. */
  request: string[];
  /** A sentence, and a table where no component describes the answer. */
  answer: string[];
  /** Components that are named in them. */
  objects: Set<string>;
}

function addObjects(schema: Schema, found: Set<string>): void {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    if (found.has(name)) return;
    found.add(name);
    addObjects(components.schemas[name] ?? {}, found);
  }
  const { properties = {}, anyOf = [], items } = schema;
  for (const each of [...Object.values(properties), ...anyOf, ...(items ? [items] : [])])
    addObjects(each, found);
}

/** Schema of the response, without the envelope around it. */
function resultOf({ responses }: Operation): Schema | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = success?.content?.['application/json']?.schema;
  return schema?.properties?.['success'] === undefined ? schema : schema.properties['result'];
}

function answerOf(operation: Operation): string[] {
  const result = resultOf(operation);
  if (result === undefined || result.type === 'null') return [];
  const isList = result.type === 'array';
  const rows = rowsOf(result);
  const type = typeName(isList ? (result.items ?? {}) : result);
  if (rows.length === 0)
    return type.startsWith('[') ? [`Returns ${isList ? 'a list of ' : ''}${type}.`, ''] : [];
  return answerTable(isList ? 'Each row' : 'Answer', rows);
}

/** @throws Error when the document does not have the call */
export function fieldsOf({ method, path }: { method: string; path: string }): CallFields {
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The OpenAPI document has no ${method} ${path}`);
  const { parameters, requestBody: { content = {} } = {} } = operation;
  const placed = (place: string): Row[] =>
    parameters.flatMap(({ name, in: where, required = false, description = '', schema }) =>
      where === place && name !== undefined
        ? [{ name, schema: { ...schema, description }, isNeeded: required }]
        : [],
    );
  const json = content['application/json']?.schema;
  const form = content['application/x-www-form-urlencoded']?.schema;
  const parts = json ? undefined : content['multipart/form-data']?.schema;
  const sent = json ?? form ?? parts?.properties?.['payload'];
  const objects = new Set<string>();
  for (const schema of [sent, resultOf(operation)]) if (schema) addObjects(schema, objects);
  return {
    request: [
      ...requestTable('Header', placed('header')),
      ...requestTable('Path', placed('path')),
      ...requestTable('Query', placed('query')),
      ...(sent ? bodyTable(form ? 'Form' : 'Body', sent) : []),
    ],
    answer: answerOf(operation),
    objects,
  };
}

/** The components that a page names, in the order of their names. */
export function objectSections(names: ReadonlySet<string>): string[] {
  if (names.size === 0) return [];
  const sections = [...names]
    .sort()
    .flatMap((name) => [
      `### ${headingOf(name)}`,
      '',
      ...answerTable('Field', rowsOf(components.schemas[name] ?? {})),
    ]);
  return ['## Objects', '', ...sections];
}

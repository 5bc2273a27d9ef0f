// Writes the API reference as Markdown from the table of endpoints, the one that also serves the calls and the
// OpenAPI document. Build time only.
import { z } from 'zod';
import { ENDPOINTS } from '#shared/endpoints.ts';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';

/** Kind of a call → its heading. A kind without one would stand there under its name in the code. */
const SECTIONS: Record<string, string> = {
  account: 'Accounts',
  auth: 'Accounts',
  session: 'Sessions',
  workspace: 'Workspaces',
  workspace_member: 'Workspace members',
  invite: 'Invites',
  memory: 'Memories',
  tag: 'Memories',
  space_memory: 'Space-memory links',
  space: 'Spaces',
  visibility: 'Spaces',
  thread: 'Threads',
  message: 'Messages',
  notification: 'Notifications',
  import: 'Import',
  scope: 'Scopes',
  avatar: 'Avatars',
  newsletter: 'Newsletter',
  report: 'Reports',
  openapi: 'This description',
  public_memory: 'Public memories',
  public_message: 'Public messages',
  public_space: 'Public spaces',
  public_thread: 'Public threads',
  public_workspace: 'Public workspaces',
};

const WHO: Record<AnyEndpoint['auth'], string> = {
  public: 'everyone, without a token',
  session: 'a session',
  user: 'a session or a token',
  member: 'a session or a token of a member of the workspace',
};

const field = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  maxLength: z.number().optional(),
  default: z.unknown().optional(),
  pattern: z.string().optional(),
});
const object = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
});

function schemaOf(type: z.ZodType, io: 'input' | 'output'): unknown {
  return z.toJSONSchema(type, { io, unrepresentable: 'any' });
}

/** `string`, `one of a, b`, `list of string`, `string or null`. */
function typeName(schema: unknown): string {
  const parsed = field.safeParse(schema);
  if (!parsed.success) return 'any';
  const { type, enum: values, const: fixed, anyOf, items } = parsed.data;
  if (values) return `one of ${values.map((value) => `\`${String(value)}\``).join(', ')}`;
  if (fixed !== undefined) return `\`${JSON.stringify(fixed)}\``;
  if (anyOf) return [...new Set(anyOf.map(typeName))].join(' or ');
  if (type === 'array') return `list of ${typeName(items)}`;
  return Array.isArray(type) ? type.join(' or ') : (type ?? 'any');
}

/** The bound of every list filter; repeating it would say nothing. */
const FILTER_LENGTH = 2_048;

function limitsOf(schema: unknown): string {
  const parsed = field.safeParse(schema);
  if (!parsed.success) return '';
  const { maxLength, default: fallback } = parsed.data;
  const parts = [
    maxLength === undefined || maxLength === FILTER_LENGTH ? '' : `at most ${maxLength} characters`,
    fallback === undefined ? '' : `default \`${JSON.stringify(fallback)}\``,
  ];
  return parts.filter(Boolean).join('; ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function fieldTable(title: string, type: z.ZodType | undefined): string[] {
  if (!type) return [];
  const parsed = object.safeParse(schemaOf(type, 'input'));
  const { properties = {}, required = [], anyOf } = parsed.success ? parsed.data : {};
  const rows = Object.entries(properties);
  if (anyOf) {
    const names = anyOf.map((each) => Object.keys(object.parse(each).properties ?? {}));
    return [
      `${title}: ${names.map((each) => each.map((name) => `\`${name}\``).join(', ')).join('; or ')}.`,
      '',
    ];
  }
  if (rows.length === 0) return [];
  const lines = rows.map(([name, schema]) => {
    const needed = required.includes(name) ? 'yes' : '';
    return `| \`${name}\` | ${cell(typeName(schema))} | ${needed} | ${cell(limitsOf(schema))} |`;
  });
  return [`| ${title} | Type | Needed | |`, '| --- | --- | --- | --- |', ...lines, ''];
}

/** Names of the answer's fields, in one line: their types are in the OpenAPI document. */
function answerLine({ result, list }: AnyEndpoint): string {
  const outer = object.safeParse(schemaOf(result, 'output'));
  const schema = outer.success && outer.data.items ? object.safeParse(outer.data.items) : outer;
  const names = schema.success ? Object.keys(schema.data.properties ?? {}) : [];
  const what = list || (outer.success && outer.data.items) ? 'a list of ' : '';
  return names.length > 0 ? `Answers ${what}${names.map((name) => `\`${name}\``).join(', ')}.` : '';
}

function describe(endpoint: AnyEndpoint): string[] {
  const { method, path, summary, auth, scope, query, body, multipart } = endpoint;
  const who = `For ${WHO[auth]}${scope ? `, scope \`${scope}\`` : ''}.`;
  return [
    `### ${method} ${path}`,
    '',
    summary,
    '',
    `${who} ${multipart ? 'The body may also come as multipart/form-data. ' : ''}${answerLine(endpoint)}`.trim(),
    '',
    ...fieldTable('Query', query),
    ...fieldTable('Body', body),
  ];
}

/** The whole reference, calls in the order of the table below a heading per kind. */
export function apiReference(): string {
  const sections = new Map<string, AnyEndpoint[]>();
  for (const [name, endpoint] of Object.entries(ENDPOINTS)) {
    const kind = name.split('.')[0] ?? name;
    const title = SECTIONS[kind];
    if (title === undefined) throw new Error(`The API reference has no heading for ${name}`);
    sections.set(title, [...(sections.get(title) ?? []), endpoint]);
  }
  const intro =
    'Addresses, authentication, lists, errors and limits are explained under [API](/docs/api). ' +
    'The same in OpenAPI 3.1, with every type: [/v1/openapi.json](/v1/openapi.json).';
  return [
    intro,
    '',
    ...[...sections].flatMap(([title, calls]) => [`## ${title}`, '', ...calls.flatMap(describe)]),
  ].join('\n');
}

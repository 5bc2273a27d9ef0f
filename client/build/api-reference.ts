// Writes the API reference as Markdown from the tables of calls, those that also serve the calls and make the
// OpenAPI document. Build time only.
import { z } from 'zod';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { scopesOf, type AnyEndpoint } from '#shared/define/endpoint.ts';
import type { ProtocolCall } from '#shared/define/protocol-call.ts';
import { PROTOCOL_CALLS } from '#shared/oauth/protocol-calls.ts';
import type { BodyNode } from '#shared/markdown/body-node.ts';
import { REFERENCE_GROUPS, type ReferenceGroup } from './reference-groups.ts';
import { anchorOf, sampleBlocks } from './reference-samples.ts';

/** A page of the reference, and what it has in common with a file of the documentation. */
export interface ReferencePage {
  /** Below /docs. */
  path: string;
  title: string;
  /** In the navigation. */
  label: string;
  description: string;
  content: string;
}

const PATH = 'api/reference';

const WHO: Record<AnyEndpoint['auth'], string> = {
  public: 'everyone, without a token',
  session: 'a session',
  user: 'a session or a token',
  member: 'a session or a token of a member of the workspace',
  session_member: 'a session of a member of the workspace',
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
  return [`| ${title} | Type | Needed | Limits |`, '| --- | --- | --- | --- |', ...lines, ''];
}

/** Names of the answer's fields, in one line: their types are in the OpenAPI document. */
function answerLine({ result, list }: Pick<AnyEndpoint, 'result' | 'list'>): string {
  const outer = object.safeParse(schemaOf(result, 'output'));
  const schema = outer.success && outer.data.items ? object.safeParse(outer.data.items) : outer;
  const names = schema.success ? Object.keys(schema.data.properties ?? {}) : [];
  const what = list || (outer.success && outer.data.items) ? 'a list of ' : '';
  return names.length > 0 ? `Answers ${what}${names.map((name) => `\`${name}\``).join(', ')}.` : '';
}

/** How the body comes where it is not JSON alone. */
function formOf({ multipart, bytes }: Pick<AnyEndpoint, 'multipart' | 'bytes'>): string {
  if (bytes) return `The body is bytes of the type \`${bytes.mediaType}\`. `;
  return multipart ? 'The body may also come as multipart/form-data. ' : '';
}

function describe(endpoint: AnyEndpoint, mark: '##' | '###'): string[] {
  const { method, path, summary, auth, scope, query, body, headers, multipart, bytes } = endpoint;
  const who = `For ${WHO[auth]}${scope ? `, scope ${scopeNames(endpoint)}` : ''}.`;
  return [
    `${mark} ${method} ${path}`,
    '',
    summary,
    '',
    `${who} ${formOf({ multipart, bytes })}${answerLine(endpoint)}`.trim(),
    '',
    ...fieldTable('Header', headers),
    ...fieldTable('Query', query),
    ...fieldTable('Body', body),
    ...sampleBlocks(endpoint),
  ];
}

const PROOFS: Record<ProtocolCall['proof'], string> = {
  none: 'everyone, without a token',
  client: 'OAuth clients, which prove themselves by HTTP Basic or in the form',
  token: 'an OAuth token',
};

const PROOF_NAMES: Record<ProtocolCall['proof'], string> = {
  none: 'everyone',
  client: 'OAuth clients',
  token: 'an OAuth token',
};

function describeProtocol(call: ProtocolCall): string[] {
  const { method, path, aliases = [], summary, proof, query, body, result } = call;
  const also = aliases.length > 0 ? `Also at ${aliases.map((alias) => `\`${alias}\``).join(' and ')}. ` : '';
  return [
    `### ${method} ${path}`,
    '',
    summary,
    '',
    `For ${PROOFS[proof]}. ${also}${result ? answerLine({ result }) : ''}`.trim(),
    '',
    ...fieldTable('Query', query),
    ...fieldTable(body?.type === 'form' ? 'Form' : 'Body', body?.schema),
    ...sampleBlocks(call),
  ];
}

/** The calls of standards that stand in a group. */
function protocolOf({ protocol }: ReferenceGroup): ProtocolCall[] {
  return protocol === undefined ? [] : Object.values(PROTOCOL_CALLS);
}

/** The headings of a page with their calls, in the order of the table of endpoints. */
function sectionsOf({ sections }: ReferenceGroup): [string, AnyEndpoint[]][] {
  const found = new Map<string, AnyEndpoint[]>();
  for (const [name, endpoint] of Object.entries(ENDPOINTS)) {
    const title = sections[kindOf(name)];
    if (title !== undefined) found.set(title, [...(found.get(title) ?? []), endpoint]);
  }
  return [...found];
}

function kindOf(name: string): string {
  return name.split('.')[0] ?? name;
}

const INTRO =
  'Addresses, authentication, lists, errors and limits are explained under [API](/docs/api). ' +
  'The same in OpenAPI 3.1, with every type: [/v1/openapi.json](/v1/openapi.json).';

function scopeNames(endpoint: AnyEndpoint): string {
  return scopesOf(endpoint)
    .map((scope) => `\`${scope}\``)
    .join(' and ');
}

/** Who may make a call, in the fewest words. */
function admitted(endpoint: AnyEndpoint): string {
  const { auth } = endpoint;
  if (endpoint.scope !== undefined) return `scope ${scopeNames(endpoint)}`;
  return auth === 'public' ? 'everyone' : WHO[auth];
}

/** Every call in one line, with the way to its page. */
function overview(): ReferencePage {
  const content = REFERENCE_GROUPS.flatMap((group) => {
    const link = (call: Pick<AnyEndpoint, 'method' | 'path'>) =>
      `[${call.method} ${call.path}](/docs/${PATH}/${group.name}#${anchorOf(call)})`;
    const tables = sectionsOf(group).map(([title, calls]): [string, string[]] => [
      title,
      calls.map((call) => `| ${link(call)} | ${admitted(call)} |`),
    ]);
    const protocol = protocolOf(group).map((call) => `| ${link(call)} | ${PROOF_NAMES[call.proof]} |`);
    if (group.protocol !== undefined) tables.push([group.protocol, protocol]);
    return tables.flatMap(([title, rows]) => [
      `## ${title}`,
      '',
      '| Call | For |',
      '| --- | --- |',
      ...rows,
      '',
    ]);
  });
  return {
    path: PATH,
    title: 'API reference',
    label: 'All calls',
    description:
      'Every call of the REST API and who may make it, generated from the table that serves the calls.',
    content: [INTRO, '', ...content].join('\n'),
  };
}

const SAMPLES =
  'Each call has a sample for curl, TypeScript and Python. They read an [API key](/docs/settings) from `LOCI_KEY`, or ' +
  'where only a session will do, its token from `LOCI_SESSION_TOKEN`; those of TypeScript use the [typed ' +
  'client](/docs/api#client-and-command-line), and those of Python need nothing but Python.';

function pageOf(group: ReferenceGroup): ReferencePage {
  const sections = sectionsOf(group);
  const isOne = sections.length === 1;
  const content = sections.flatMap(([title, calls]) => [
    ...(isOne ? [] : [`## ${title}`, '']),
    ...calls.flatMap((call) => describe(call, isOne ? '##' : '###')),
  ]);
  if (group.protocol !== undefined)
    content.push(`## ${group.protocol}`, '', ...protocolOf(group).flatMap(describeProtocol));
  return {
    path: `${PATH}/${group.name}`,
    title: `API reference: ${group.label.toLowerCase()}`,
    label: group.label,
    description: group.description,
    content: [INTRO, '', SAMPLES, '', ...content].join('\n'),
  };
}

/** The whole reference: the page that lists all calls, then a page for each group of them. */
export function apiReference(): ReferencePage[] {
  const known = new Set(REFERENCE_GROUPS.flatMap(({ sections }) => Object.keys(sections)));
  const missing = Object.keys(ENDPOINTS).find((name) => !known.has(kindOf(name)));
  if (missing !== undefined) throw new Error(`The API reference has no heading for ${missing}`);
  return [overview(), ...REFERENCE_GROUPS.map(pageOf)];
}

/** Rows of calls get the ids that the headings of these calls have: addresses with them lead to the row. */
export function withCallIds(body: BodyNode[]): BodyNode[] {
  return body.map((node) => {
    if (typeof node === 'string') return node;
    const [tag, attributes, ...children] = node;
    const id = tag === 'tr' ? linkedId(children) : undefined;
    return [tag, id === undefined ? attributes : { ...attributes, id }, ...withCallIds(children)];
  });
}

/** The part of a page to which the first link of a row leads. */
function linkedId(nodes: BodyNode[]): string | undefined {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    const [tag, { href = '' }, ...children] = node;
    const id = tag === 'a' ? href.split('#')[1] : linkedId(children);
    if (id !== undefined) return id;
  }
  return undefined;
}

// Writes the API reference as Markdown from the tables of calls, those that also serve the calls and make the
// OpenAPI document. Build time only.
import { ENDPOINTS } from '#shared/endpoints.ts';
import { scopesOf, type AnyEndpoint } from '#shared/define/endpoint.ts';
import type { ProtocolCall } from '#shared/define/protocol-call.ts';
import { PROTOCOL_CALLS } from '#shared/oauth/protocol-calls.ts';
import type { BodyNode } from '#shared/markdown/body-node.ts';
import { type CallFields, fieldsOf, objectSections } from './reference-fields.ts';
import { REFERENCE_GROUPS, type ReferenceGroup } from './reference-groups.ts';
import { anchorOf, sampleBlocks } from './code-samples.ts';

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

/** Format of a body that is not JSON alone. */
function formOf({ multipart, bytes }: Pick<AnyEndpoint, 'multipart' | 'bytes'>): string {
  if (bytes) return `The body is bytes of the type \`${bytes.mediaType}\`. `;
  return multipart ? 'The body may also come as multipart/form-data. ' : '';
}

function describe(endpoint: AnyEndpoint, { request, answer }: CallFields, mark: '##' | '###'): string[] {
  const { method, path, summary, auth, scope, multipart, bytes } = endpoint;
  const who = `For ${WHO[auth]}${scope ? `, scope ${scopeNames(endpoint)}` : ''}.`;
  return [
    `${mark} ${method} ${path}`,
    '',
    summary,
    '',
    `${who} ${formOf({ multipart, bytes })}`.trim(),
    '',
    ...request,
    ...answer,
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

function describeProtocol(call: ProtocolCall, { request, answer }: CallFields): string[] {
  const { method, path, aliases = [], summary, proof } = call;
  const also = aliases.length > 0 ? `Also at ${aliases.map((alias) => `\`${alias}\``).join(' and ')}. ` : '';
  return [
    `### ${method} ${path}`,
    '',
    summary,
    '',
    `For ${PROOFS[proof]}. ${also}`.trim(),
    '',
    ...request,
    ...answer,
    ...sampleBlocks(call),
  ];
}

/** The calls of external standards in a group. */
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
  'The same in OpenAPI 3.1: [/v1/openapi.json](/v1/openapi.json).';

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
  'client](/docs/api/client), and those of Python need nothing but Python.';

function pageOf(group: ReferenceGroup): ReferencePage {
  const sections = sectionsOf(group);
  const isOne = sections.length === 1;
  const objects = new Set<string>();
  const fieldsIn = (call: Pick<AnyEndpoint, 'method' | 'path'>): CallFields => {
    const fields = fieldsOf(call);
    for (const name of fields.objects) objects.add(name);
    return fields;
  };
  const content = sections.flatMap(([title, calls]) => [
    ...(isOne ? [] : [`## ${title}`, '']),
    ...calls.flatMap((call) => describe(call, fieldsIn(call), isOne ? '##' : '###')),
  ]);
  if (group.protocol !== undefined)
    content.push(
      `## ${group.protocol}`,
      '',
      ...protocolOf(group).flatMap((call) => describeProtocol(call, fieldsIn(call))),
    );
  return {
    path: `${PATH}/${group.name}`,
    title: `API reference: ${group.label.toLowerCase()}`,
    label: group.label,
    description: group.description,
    content: [INTRO, '', SAMPLES, '', ...content, ...objectSections(objects)].join('\n'),
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

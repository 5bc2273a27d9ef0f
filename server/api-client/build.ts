/**
 * Writes the client of the API as a package that can be packed and installed anywhere: plain JavaScript without
 * dependencies, types for every call, and a command line. Calls and types come from the table that the server serves.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { apiDescription } from '#shared/openapi/api-description.ts';
import { toSchema } from '#shared/openapi/json-schema.ts';
import { SAMPLE_ORIGIN } from '#shared/openapi/samples.ts';
import { commentText, typeText } from './type-text.ts';

/** Where to: the first argument, or dist. */
const OUT = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../../dist/api-client'));
const endpoints: [string, AnyEndpoint][] = Object.entries(ENDPOINTS);

/** Sources without types; the transport (shared/api-client.ts) is beside them in the package. */
const SOURCES = {
  client: path.join(import.meta.dirname, '../../shared/api-client.ts'),
  cli: path.join(import.meta.dirname, 'cli.ts'),
  session: path.join(import.meta.dirname, 'session.ts'),
  'sign-in': path.join(import.meta.dirname, 'sign-in.ts'),
  reading: path.join(import.meta.dirname, 'reading.ts'),
  listening: path.join(import.meta.dirname, 'listening.ts'),
  'event-of': path.join(import.meta.dirname, '../../shared/webhooks/event-of.ts'),
  transfer: path.join(import.meta.dirname, 'transfer.ts'),
} as const;

function script(file: string): string {
  return stripTypeScriptTypes(readFileSync(file, 'utf8'))
    .replaceAll("from '#shared/api-client.ts'", "from './client.js'")
    .replaceAll(/from '#shared\/webhooks\/([\w-]+)\.ts'/g, "from './$1.js'")
    .replaceAll(/from '\.\/([\w-]+)\.ts'/g, "from './$1.js'");
}

function table(): string {
  const rows = endpoints.map(([name, { method, path: address, answer = 'json' }]) => [
    name,
    [method, address, answer === 'json'],
  ]);
  return `export const CALLS = ${JSON.stringify(Object.fromEntries(rows))};\n`;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: { type?: string; items?: object };
  description?: string;
}
type Content = Readonly<Record<string, { schema: { properties?: Readonly<Record<string, unknown>> } }>>;

/** The fields that are read of the document of describe-api.ts. */
interface Operation {
  operationId: string;
  summary: string;
  parameters: readonly (Parameter | { $ref: string })[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}
const document = apiDescription(SAMPLE_ORIGIN) as {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, object>> };
};
const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
);

/** Of a parameter that takes several values, one may be given without a list. */
const oneOrMore = (schema: Parameter['schema']): object =>
  schema.type === 'array' ? { anyOf: [schema.items, schema] } : schema;

/** Parameters as one object, which may be left out when none of them is needed. */
function parametersText({ parameters }: Operation, place: string, label: string): string[] {
  const given = parameters.flatMap((each) => ('in' in each && each.in === place ? [each] : []));
  if (given.length === 0) return [];
  const required = given.filter((each) => each.required).map(({ name }) => name);
  const properties = Object.fromEntries(
    given.map(({ name, schema, description }) => [name, { ...oneOrMore(schema), description }]),
  );
  const type = typeText({ type: 'object', properties, required }, '      ');
  return [`${label}${required.length === 0 ? '?' : ''}: ${type}`];
}

function bodyText({ requestBody }: Operation, { multipart }: AnyEndpoint): string[] {
  const { content = {} } = requestBody ?? {};
  const payload = content['multipart/form-data']?.schema.properties?.['payload'];
  const body = content['application/json']?.schema ?? payload;
  return [
    ...(body === undefined ? [] : [`body: ${typeText(body, '      ')}`]),
    ...(multipart ? ['file?: { name: string; bytes: Uint8Array; type?: string }'] : []),
  ];
}

/** The result of the first success; of a call that returns no JSON as its schema says. */
function resultText({ responses }: Operation, { result, answer = 'json' }: AnyEndpoint): string {
  if (answer !== 'json') return typeText(toSchema(result, {}), '    ');
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  const schema = responses[success]?.content?.['application/json']?.schema;
  return typeText(schema?.properties?.['result'], '    ');
}

function callText([name, endpoint]: [string, AnyEndpoint]): string {
  const operation = operations.get(name);
  if (!operation) throw new Error(`The OpenAPI document has no ${name}`);
  const request = [
    ...parametersText(operation, 'path', 'params'),
    ...parametersText(operation, 'query', 'query'),
    ...bodyText(operation, endpoint),
  ];
  return [
    `${commentText(operation.summary, '  ')}  ${JSON.stringify(name)}: {`,
    `    request: {${request.map((part) => `\n      ${part};`).join('')}${request.length > 0 ? '\n    ' : ''}};`,
    `    result: ${resultText(operation, endpoint)};`,
    `    meta: ${endpoint.list ? 'ListMeta' : 'Record<string, unknown>'};`,
    '  };',
  ].join('\n');
}

function declarations(): string {
  const parts = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeText(schema)};`,
  );
  return [
    '// Generated from the table of calls.',
    'export interface ListMeta { page: number; perPage: number; total: number; orderBy: string; order: "asc" | "desc"; nextCursor?: string | null }',
    ...parts,
    'export interface Calls {',
    ...endpoints.map(callText),
    '}',
    'export interface CallOptions { headers?: Readonly<Record<string, string>>; signal?: AbortSignal }',
    'export interface Answer<N extends keyof Calls> { result: Calls[N]["result"]; meta: Calls[N]["meta"]; status: number; headers: Headers }',
    'type Request<N extends keyof Calls> = Calls[N]["request"] & CallOptions;',
    'type Arguments<N extends keyof Calls> = {} extends Request<N> ? [request?: Request<N>] : [request: Request<N>];',
    '/** Makes a call by its name. Throws LociError when the server refuses. */',
    'export type Client = <N extends keyof Calls>(name: N, ...rest: Arguments<N>) => Promise<Answer<N>>;',
    'export interface ClientOptions { url: string; token?: string; fetch?: typeof fetch; attempts?: number }',
    'export declare function createClient(options: ClientOptions): Client;',
    'export declare class LociError extends Error {',
    '  readonly status: number; readonly code: string; readonly detail: string; readonly requestId: string | null;',
    '}',
    '',
  ].join('\n');
}

const VERSION = '1.0.0';

const README = `# Loci API client

\`\`\`ts
import { createClient } from '@loci/api-client';

const loci = createClient({ url: 'https://loci.example.com', token: process.env.LOCI_KEY });
const { result } = await loci('memory.search', { body: { workspaceId, query: 'tide tables' } });
\`\`\`

The command line: \`npx loci login https://loci.example.com\` signs in with a browser, and \`npx loci --help\` lists the
commands.
`;

const FILES: Record<string, string> = {
  'package.json': `${JSON.stringify(
    {
      name: '@loci/api-client',
      version: VERSION,
      description: 'Typed client and command line of the Loci API',
      type: 'module',
      license: 'UNLICENSED',
      engines: { node: '>=22' },
      exports: { '.': { types: './index.d.ts', default: './index.js' } },
      bin: { loci: 'loci.js' },
      files: ['*.js', '*.d.ts'],
    },
    null,
    2,
  )}\n`,
  'README.md': README,
  'calls.js': table(),
  ...Object.fromEntries(Object.entries(SOURCES).map(([name, source]) => [`${name}.js`, script(source)])),
  'index.js': [
    "import { CALLS } from './calls.js';",
    "import { clientFor } from './client.js';",
    "export { LociError } from './client.js';",
    'export const createClient = clientFor(CALLS);',
    '',
  ].join('\n'),
  'index.d.ts': declarations(),
  'loci.js': [
    '#!/usr/bin/env node',
    "import { run } from './cli.js';",
    "import { createClient } from './index.js';",
    `process.exitCode = await run({ createClient, version: '${VERSION}' }, process.argv.slice(2));`,
    '',
  ].join('\n'),
};

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(OUT, name), text, { mode: 0o755 });

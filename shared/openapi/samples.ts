/**
 * Samples of a request in the languages of the API reference, made from an operation of the OpenAPI document: curl, the typed
 * client of the product (fetch for what it does not cover), and Python with only its standard library. Each is a whole program
 * whose secrets come from the environment. tests/server/contract/samples.long.test.ts runs them all.
 */
import { fillPath } from '../define/fill-path.ts';
import { JSON_STYLE, literal, PYTHON_STYLE, TYPESCRIPT_STYLE } from './literals.ts';
import type { ApiOperation, Proof } from './operations.ts';
import type { SampleLanguage } from './sample-languages.ts';

export const SAMPLE_ORIGIN = 'https://loci.example.com';

/** The file that samples send, in the folder where they run, and the one that they write. */
export const SAMPLE_FILES = { sent: 'archive.zip', received: 'download' } as const;

/** Environment variables that hold the secret of a proof. */
const SECRETS: Record<Exclude<Proof, 'none' | 'client'>, string> = {
  key: 'LOCI_KEY',
  session: 'LOCI_SESSION_TOKEN',
  token: 'LOCI_ACCESS_TOKEN',
};
const CLIENT = { id: 'LOCI_CLIENT_ID', secret: 'LOCI_CLIENT_SECRET' } as const;

export function samplesOf(operation: ApiOperation): Record<SampleLanguage, string> {
  return {
    curl: curlOf(operation),
    typescript: isCovered(operation) ? clientOf(operation) : fetchOf(operation),
    python: pythonOf(operation),
  };
}

/** The typed client makes every call of ours whose answer it can return whole. */
function isCovered({ isProtocol, answer }: ApiOperation): boolean {
  return !isProtocol && answer !== 'events' && answer !== 'file';
}

function addressOf({ path, params, query }: ApiOperation): string {
  const search = new URLSearchParams(query).toString();
  return `${SAMPLE_ORIGIN}${fillPath(path, params)}${search === '' ? '' : `?${search}`}`;
}

function formOf(value: unknown): [string, string][] {
  return Object.entries(Object(value)).map(([name, item]) => [name, String(item)]);
}

/** Headers beside those of the proof; forms set their own. */
function headersOf({ body }: ApiOperation): Record<string, string> {
  return body?.type === 'json' ? { 'Content-Type': 'application/json' } : {};
}

/** A client with its id in the form has no secret, so no other credential is sent. */
function proofOf({ proof, body }: ApiOperation): Proof {
  return proof === 'client' && 'client_id' in Object(body?.value) ? 'none' : proof;
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curlOf(operation: ApiOperation): string {
  const { method, body, answer } = operation;
  const proof = proofOf(operation);
  const address = addressOf(operation);
  const implied = body === undefined ? 'GET' : 'POST';
  const lines = [`curl ${/[?&]/.test(address) ? shellQuoted(address) : address}`];
  if (method !== implied) lines.push(`--request ${method}`);
  if (proof === 'client') lines.push(`--user "$${CLIENT.id}:$${CLIENT.secret}"`);
  else if (proof !== 'none') lines.push(`--header "Authorization: Bearer $${SECRETS[proof]}"`);
  for (const [name, value] of Object.entries(headersOf(operation)))
    lines.push(`--header "${name}: ${value}"`);
  if (body?.type === 'json')
    lines.push(`--data ${shellQuoted(literal(body.value, JSON_STYLE, '  --data '.length, 2))}`);
  if (body?.type === 'file') {
    lines.push(`--form ${shellQuoted(`payload=${JSON.stringify(body.value)}`)}`);
    lines.push(`--form "file=@${SAMPLE_FILES.sent}"`);
  }
  if (body?.type === 'form')
    for (const [name, value] of formOf(body.value))
      lines.push(`--data-urlencode ${shellQuoted(`${name}=${value}`)}`);
  if (answer === 'events') lines.push('--no-buffer');
  if (answer === 'file') lines.push(`--output ${SAMPLE_FILES.received}`);
  if (answer === 'redirect') lines.push('--include');
  return lines.join(' \\\n  ');
}

function clientOf({ name, params, query, body, proof }: ApiOperation): string {
  const token = proof === 'none' || proof === 'client' ? [] : [`  token: process.env.${SECRETS[proof]},`];
  const text = TYPESCRIPT_STYLE.text;
  const parts = [
    ['params', params],
    ['query', query],
    ['body', body?.value],
  ].flatMap(([part, value]) =>
    Object.keys(Object(value)).length === 0
      ? []
      : [`  ${String(part)}: ${literal(value, TYPESCRIPT_STYLE, `  ${String(part)}: `.length, 2)},`],
  );
  if (body?.type === 'file')
    parts.push(
      `  file: { name: ${text(SAMPLE_FILES.sent)}, bytes: await readFile(${text(SAMPLE_FILES.sent)}) },`,
    );
  const request = parts.length === 0 ? '' : `, {\n${parts.join('\n')}\n}`;
  return [
    ...(body?.type === 'file' ? ["import { readFile } from 'node:fs/promises';"] : []),
    "import { createClient } from '@loci/api-client';",
    '',
    token.length === 0
      ? `const loci = createClient({ url: ${text(SAMPLE_ORIGIN)} });`
      : `const loci = createClient({\n  url: ${text(SAMPLE_ORIGIN)},\n${token.join('\n')}\n});`,
    `const { result } = await loci(${text(name)}${request});`,
    'console.log(result);',
  ].join('\n');
}

function fetchOf(operation: ApiOperation): string {
  const { method, body, answer } = operation;
  const proof = proofOf(operation);
  const text = TYPESCRIPT_STYLE.text;
  const headers = Object.entries(headersOf(operation)).map(
    ([name, value]) => `${text(name)}: ${text(value)}`,
  );
  if (proof === 'client')
    headers.unshift(
      `Authorization: \`Basic \${btoa(\`\${process.env.${CLIENT.id}}:\${process.env.${CLIENT.secret}}\`)}\``,
    );
  else if (proof !== 'none') headers.unshift(`Authorization: \`Bearer \${process.env.${SECRETS[proof]}}\``);
  const options = [
    ...(method === 'GET' ? [] : [`method: ${text(method)}`]),
    ...(answer === 'redirect' ? [`redirect: 'manual'`] : []),
    ...(headers.length === 0 ? [] : [`headers: {\n    ${headers.join(',\n    ')},\n  }`]),
    ...(body?.type === 'json'
      ? [
          `body: JSON.stringify(${literal(body.value, TYPESCRIPT_STYLE, '  body: JSON.stringify('.length, 2)})`,
        ]
      : []),
    ...(body?.type === 'form'
      ? [`body: new URLSearchParams(${literal(body.value, TYPESCRIPT_STYLE, LONG, 2)})`]
      : []),
  ];
  const init = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`;
  const request = `const response = await fetch(${text(addressOf(operation))}${init});`;
  if (answer === 'file')
    return [
      "import { writeFile } from 'node:fs/promises';",
      '',
      request,
      `await writeFile(${text(SAMPLE_FILES.received)}, await response.bytes());`,
    ].join('\n');
  return [request, ...FETCHED[answer]].join('\n');
}

/** Forces a literal over several lines. */
const LONG = 1_000;

const FETCHED: Record<Exclude<ApiOperation['answer'], 'file'>, readonly string[]> = {
  json: ['console.log(await response.json());'],
  text: ['console.log(await response.text());'],
  events: [
    'const events = response.body?.pipeThrough(new TextDecoderStream()) ?? [];',
    'for await (const text of events) process.stdout.write(text);',
  ],
  redirect: ["console.log(response.headers.get('location'));"],
  none: ['console.log(response.status);'],
};

function pythonOf(operation: ApiOperation): string {
  const { method, body, answer } = operation;
  const proof = proofOf(operation);
  const text = PYTHON_STYLE.text;
  const headers = Object.entries(headersOf(operation)).map(
    ([name, value]) => `${text(name)}: ${text(value)}`,
  );
  if (proof === 'client') headers.unshift('"Authorization": f"Basic {credentials}"');
  else if (proof !== 'none') headers.unshift(`"Authorization": f"Bearer {os.environ['${SECRETS[proof]}']}"`);
  if (body?.type === 'file') headers.push('"Content-Type": f"multipart/form-data; boundary={boundary}"');
  const data = {
    json: `json.dumps(${literal(body?.value, PYTHON_STYLE, '    data=json.dumps('.length, 4)}).encode()`,
    form: `urlencode(${literal(body?.value, PYTHON_STYLE, LONG, 4)}).encode()`,
    file: 'b"".join(parts)',
  };
  const given = [
    text(addressOf(operation)),
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`method=${text(method)}`]),
    ...(headers.length === 0
      ? []
      : [`headers={\n${headers.map((each) => `        ${each},\n`).join('')}    }`]),
    ...(body === undefined ? [] : [`data=${data[body.type]}`]),
  ];
  return [
    ...importsOf(operation),
    '',
    ...(proof === 'client'
      ? [
          `pair = f"{os.environ['${CLIENT.id}']}:{os.environ['${CLIENT.secret}']}"`,
          'credentials = base64.b64encode(pair.encode()).decode()',
        ]
      : []),
    ...(body?.type === 'file' ? formLines(body.value) : []),
    given.length === 1
      ? `request = Request(${given.join('')})`
      : `request = Request(\n${given.map((each) => `    ${each},\n`).join('')})`,
    ...(answer === 'redirect' ? REDIRECTED : ['with urlopen(request) as response:', ...READ[answer]]),
  ].join('\n');
}

/** The modules that a sample names, and no other. */
function importsOf(operation: ApiOperation): string[] {
  const { body, answer } = operation;
  const proof = proofOf(operation);
  const modules = [
    ...(proof === 'client' ? ['base64'] : []),
    ...((body && body.type !== 'form') || answer === 'json' ? ['json'] : []),
    ...(proof === 'none' ? [] : ['os']),
  ];
  const names = answer === 'redirect' ? 'HTTPRedirectHandler, Request, build_opener' : 'Request, urlopen';
  return [
    ...modules.map((name) => `import ${name}`),
    ...(answer === 'redirect' ? ['from urllib.error import HTTPError'] : []),
    ...(body?.type === 'form' ? ['from urllib.parse import urlencode'] : []),
    `from urllib.request import ${names}`,
    ...(body?.type === 'file' ? ['from uuid import uuid4'] : []),
  ];
}

/** The standard library has no encoder of multipart/form-data. */
function formLines(value: unknown): string[] {
  return [
    'boundary = uuid4().hex',
    `payload = json.dumps(${literal(value, PYTHON_STYLE, 'payload = json.dumps('.length)})`,
    `with open("${SAMPLE_FILES.sent}", "rb") as file:`,
    '    content = file.read()',
    'parts = [',
    '    f\'--{boundary}\\r\\nContent-Disposition: form-data; name="payload"\\r\\n\\r\\n{payload}\\r\\n\'.encode(),',
    `    f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="${SAMPLE_FILES.sent}"\\r\\n\\r\\n'.encode(),`,
    '    content,',
    "    f'\\r\\n--{boundary}--\\r\\n'.encode(),",
    ']',
  ];
}

const READ: Record<Exclude<ApiOperation['answer'], 'redirect'>, readonly string[]> = {
  json: ['    print(json.load(response))'],
  text: ['    print(response.read().decode())'],
  file: [`    with open("${SAMPLE_FILES.received}", "wb") as file:`, '        file.write(response.read())'],
  events: ['    for line in response:', '        print(line.decode(), end="", flush=True)'],
  none: ['    print(response.status)'],
};

/** urllib would follow the redirect, but the address is the result. */
const REDIRECTED = [
  '',
  '',
  'class Stay(HTTPRedirectHandler):',
  '    def redirect_request(self, *args):',
  '        return None',
  '',
  '',
  'try:',
  '    build_opener(Stay).open(request)',
  'except HTTPError as answer:',
  '    print(answer.headers["Location"])',
];

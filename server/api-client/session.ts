/** Signing in to the command line, and the values that commands read from it: address, credentials and workspace. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { Answer, ClientOptions } from '#shared/api-client.ts';
import { refreshTokens, signIn, SignInError, type Tokens } from './sign-in.ts';

export type Call = (name: string, request?: Record<string, unknown>) => Promise<Answer>;
export type CreateClient = (options: ClientOptions) => Call;
/** A row of an answer, whose fields are read by their names. */
export type Row = Record<string, unknown>;

export interface Session {
  /** Address of the server. */
  url: string;
  call: Call;
  workspaceId: string;
}

/** Contents of the config file: a key, or the tokens of a sign-in. */
interface Config {
  url?: string;
  key?: string;
  tokens?: Tokens;
  workspaceId?: string;
}

/** Input of a command. */
export interface Given {
  /** Positional arguments after the command. */
  words: readonly string[];
  values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  createClient: CreateClient;
  /** Opens the stored sign-in. @throws UsageError without one */
  open(): Promise<Session>;
}

/** Interval of polling for work of the server. */
export const POLL_MS = 500;
export const PER_PAGE = 100;

/** A mistake of the person, shown without a stack. */
export class UsageError extends Error {}

/** Before the end of a token, so that it lasts for the call. */
const EARLY_MS = 60_000;

/** An empty variable is one that is not set. */
const variable = (name: string): string | undefined => process.env[name] || undefined;

const configFile = (): string =>
  path.join(process.env['XDG_CONFIG_HOME'] ?? path.join(os.homedir(), '.config'), 'loci', 'config.json');

async function readConfig(): Promise<Config> {
  return readFile(configFile(), 'utf8').then(
    (text) => Object(JSON.parse(text)),
    () => ({}),
  );
}

/** For the owner alone, and whole or not at all: two commands may run at a time. */
async function writeConfig(config: Config): Promise<void> {
  const file = configFile();
  const unfinished = `${file}.${process.pid}`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(unfinished, JSON.stringify(config, null, 2), { mode: 0o600 });
  await rename(unfinished, file);
}

export async function login({ words: [url = ''], values, createClient }: Given): Promise<void> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new UsageError(`${url} is no address`);
  const given = variable('LOCI_KEY') ?? '';
  const key = (given === '' && values['key'] === true ? await readAll(process.stdin) : given).trim();
  if (values['key'] === true && key === '') throw new UsageError('There is no API key on standard input');
  const access = key === '' ? { tokens: await signIn(url) } : { key };
  const call = createClient({ url, token: access.tokens?.access ?? key });
  const workspace = await firstWorkspace(call);
  await writeConfig({ url, ...access, workspaceId: String(workspace['id']) });
  process.stdout.write(`Signed in to ${String(workspace['name'])}\n`);
}

async function firstWorkspace(call: Call): Promise<Row> {
  const [workspace]: Row[] = Object((await call('workspace.list')).result);
  if (!workspace) throw new Error('This sign-in opens no workspace');
  return workspace;
}

/** @throws UsageError before the first login, SignInError when a sign-in has ended */
export async function openSession(createClient: CreateClient): Promise<Session> {
  const config = await readConfig();
  const url = variable('LOCI_URL') ?? config.url;
  // Credentials stored for one server must not be sent to another.
  const stored = isSameServer(url, config.url) ? config : {};
  const token = variable('LOCI_KEY') ?? stored.key ?? (await accessOf(stored));
  if (url === undefined || token === undefined) throw new UsageError(`Run loci login ${url ?? 'URL'} first`);
  const call = createClient({ url, token });
  const workspaceId = variable('LOCI_WORKSPACE') ?? stored.workspaceId;
  return { url, call, workspaceId: workspaceId ?? String((await firstWorkspace(call))['id']) };
}

function isSameServer(one = '', other = ''): boolean {
  const origin = URL.parse(one)?.origin;
  return origin !== undefined && origin === URL.parse(other)?.origin;
}

async function accessOf(stored: Config): Promise<string | undefined> {
  const { url, tokens } = stored;
  if (url === undefined || tokens === undefined || tokens.expires > Date.now() + EARLY_MS)
    return tokens?.access;
  const fresh = await refreshTokens(url, tokens).catch((error: unknown) => {
    if (error instanceof SignInError) throw new SignInError(`The sign-in has ended: loci login ${url}`);
    throw error;
  });
  await writeConfig({ ...stored, tokens: fresh });
  return fresh.access;
}

/** The id of the space that was named, by its id or by the last part of its address. */
export async function spaceOf(
  { call, workspaceId }: Session,
  { values: { space } }: Given,
): Promise<string | undefined> {
  if (typeof space !== 'string' || space.startsWith('spc_')) return space?.toString();
  const { result } = await call('space.list', { params: { workspaceId }, query: { slug: space } });
  const [found]: Row[] = Object(result);
  if (!found) throw new UsageError(`There is no space ${space}`);
  return String(found['id']);
}

/**
 * A person of a running program: signed up through the API with a workspace, and able to sit down at a browser. For
 * stories and measurements; tests of the server use agent.ts.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';
import { ApiProblem } from '#client/api/api-problem.ts';
import { createClient, type ApiClient } from '#client/api/client.ts';
import { COOKIES } from '#shared/constants.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { OutboxMail } from '#server/providers/outbox.ts';
import { codeIn } from './mail-secrets.ts';

/** The password of every account in stories. */
export const STORY_PASSWORD = 'a long enough sentence';

const MAIL_LIMIT_MS = 60_000;
const MAIL_POLL_MS = 50;

/** A person with a session and one workspace. */
export interface Person {
  /** The first name; the workspace is called after it. */
  name: string;
  email: string;
  token: string;
  userId: Id<'user'>;
  workspaceId: Id<'workspace'>;
  slug: string;
  api: ApiClient;
}

/** The typed client at this address. A call is tried once, so that a failure stays visible. */
export function apiAt(url: string, token?: string): ApiClient {
  return createClient({
    token: () => token,
    transport: (path, init) => fetch(`${url}${path}`, init),
    attempts: 1,
  });
}

/**
 * Waits as long as the server responds with a time to wait: calls of one session are limited per minute, and on a busy
 * machine the first password is judged too late.
 */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.retryAfter === undefined) throw error;
      await sleep(error.retryAfter * 1000);
    }
  }
}

/** Signs up, gives a name, founds a workspace and closes the list of first steps. */
export async function joinServer(url: string, name: string): Promise<Person> {
  const email = `${name}@example.org`;
  const { result } = await patiently(() =>
    apiAt(url)('auth.signup', { body: { email, password: STORY_PASSWORD } }),
  );
  const api = apiAt(url, result.token);
  await api('auth.update', { body: { forename: name, checklistClosedAt: new Date().toISOString() } });
  const workspaceId = newId('workspace');
  const slug = `${name}-notes`;
  await api('workspace.create', { body: { id: workspaceId, name: `Notes of ${name}`, slug } });
  return { name, email, token: result.token, userId: result.user.id, workspaceId, slug, api };
}

/** The newest mail that this wants among those in the outbox of a development server, once there is one. */
export async function waitForMail(
  url: string,
  what: string,
  wants: (mail: OutboxMail) => boolean,
): Promise<OutboxMail> {
  const deadline = Date.now() + MAIL_LIMIT_MS;
  for (;;) {
    const response = await fetch(`${url}/_outbox.json`);
    const mails: OutboxMail[] = await response.json();
    const found = mails.find(wants);
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`There is no mail ${what}`);
    await sleep(MAIL_POLL_MS);
  }
}

/** Proves the person's address with the code of the sign-up's mail. */
export async function proveAddress(
  url: string,
  { api, email }: Pick<Person, 'api' | 'email'>,
): Promise<void> {
  const isCoded = (mail: OutboxMail) => mail.to === email && codeIn(mail) !== '';
  const mail = await waitForMail(url, `with a code to ${email}`, isCoded);
  await api('auth.verify_email', { body: { code: codeIn(mail) } });
}

/** Puts the session into a browser profile; the next page at this address is signed in. */
export async function sitDown(
  context: BrowserContext,
  url: string,
  { token }: Pick<Person, 'token'>,
): Promise<void> {
  await context.addCookies([{ name: COOKIES.session, value: token, url, sameSite: 'Lax' }]);
}

/** Starts an import through the API; resolves once the server has stored the archive. */
export async function uploadArchive(
  url: string,
  { token, workspaceId }: Pick<Person, 'token' | 'workspaceId'>,
  archive: string | Buffer,
): Promise<Id<'upload'>> {
  const form = new FormData();
  form.set('payload', JSON.stringify({ workspaceId }));
  const bytes = typeof archive === 'string' ? readFileSync(archive) : archive;
  form.set('file', new Blob([new Uint8Array(bytes)]), 'notes.zip');
  const response = await fetch(`${url}/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  if (response.status !== 202) throw new Error(`The import was refused: ${await response.text()}`);
  const body: { result: { id: Id<'upload'> } } = await response.json();
  return body.result.id;
}

/** Every memory of the workspace as REST lists it, all pages. */
export async function listMemories({ api, workspaceId }: Pick<Person, 'api' | 'workspaceId'>) {
  const all = [];
  for (let page = 1; ; page += 1) {
    const { result } = await api('memory.list', { params: { workspaceId }, query: { page, perPage: 100 } });
    all.push(...result);
    if (result.length < 100) return all;
  }
}

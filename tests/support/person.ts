/**
 * A person of a running program: signed up through the API with a workspace, and able to sit down at a browser. For
 * stories and measurements; tests of the server use agent.ts.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';
import { createClient, type ApiClient } from '#client/api/client.ts';
import { COOKIES } from '#shared/constants.ts';
import { newId, type Id } from '#shared/ids.ts';
import { codeIn } from './mail-secrets.ts';

/** The password of every account in stories. */
export const STORY_PASSWORD = 'a long enough sentence';

const MAIL_LIMIT_MS = 60_000;
const MAIL_POLL_MS = 50;

/** A person with a session and one workspace. */
export interface Person {
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

/** Signs up, gives a name, founds a workspace and closes the list of first steps. */
export async function joinServer(url: string, name: string): Promise<Person> {
  const email = `${name}@example.org`;
  const { result } = await apiAt(url)('auth.signup', { body: { email, password: STORY_PASSWORD } });
  const api = apiAt(url, result.token);
  await api('auth.update', { body: { forename: name, checklistClosedAt: new Date().toISOString() } });
  const workspaceId = newId('workspace');
  const slug = `${name}-notes`;
  await api('workspace.create', { body: { id: workspaceId, name: `Notes of ${name}`, slug } });
  return { email, token: result.token, userId: result.user.id, workspaceId, slug, api };
}

/** Proves the person's address with the code of the sign-up's mail, which the outbox of a development server shows. */
export async function proveAddress(
  url: string,
  { api, email }: Pick<Person, 'api' | 'email'>,
): Promise<void> {
  const deadline = Date.now() + MAIL_LIMIT_MS;
  for (;;) {
    const response = await fetch(`${url}/_outbox.json`);
    const mails: { to: string; text: string }[] = await response.json();
    const code = mails
      .filter(({ to }) => to === email)
      .map(codeIn)
      .find((found) => found !== '');
    if (code !== undefined) {
      await api('auth.verify_email', { body: { code } });
      return;
    }
    if (Date.now() > deadline) throw new Error(`There is no mail with a code to ${email}`);
    await sleep(MAIL_POLL_MS);
  }
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

/**
 * People who use the API in tests: the typed client of the app, signed in through HTTP, and a bare `raw` request for
 * everything that the typed client would never send.
 */
import { createClient, type ApiClient } from '#client/api/client.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import type { Row } from '#shared/entities.ts';
import { expect } from 'vitest';
import { hashPassword } from '#server/accounts/passwords.ts';
import { rememberDevice } from '#server/accounts/login-devices.ts';
import { newUser } from '#server/accounts/service.ts';
import { openSession } from '#server/accounts/sessions.ts';
import { requireDescribed } from './described-statuses.ts';
import type { World } from './world.ts';

/** The password of every account in tests. */
export const TEST_PASSWORD = 'a quiet harbour at dawn';

const testHash = hashPassword('test', TEST_PASSWORD);

/** One person with a session. */
export interface Agent {
  user: Row<'user'>;
  token: string;
  api: ApiClient;
  raw: RawRequest;
}

/** Sends any request to a path and returns status, headers and body unparsed. */
export type RawRequest = (
  method: string,
  path: string,
  init?: { body?: unknown; headers?: Readonly<Record<string, string>> },
) => Promise<RawAnswer>;

/** An unparsed response. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined when it is no JSON. */
  json: Wire | undefined;
}

/** The envelope with everything optional, for assertions. */
export interface Wire {
  success?: boolean;
  result?: unknown;
  meta?: Record<string, unknown>;
  error?: { message: string; detail: string; code: string };
}

/** Requests without typed client; a text body goes as it is, anything else as JSON. */
export function createRaw(world: Pick<World, 'url'>, token?: string): RawRequest {
  return async (method, path, { body, headers = {} } = {}) => {
    const response = await fetch(`${world.url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    requireDescribed(method, path, response.status);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  };
}

function parse(text: string): Wire | undefined {
  try {
    const json: Wire = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}

/** A client with this token, or without one. Each successful result is validated against its documented schema. */
export function createApi(world: Pick<World, 'url'>, token?: string): ApiClient {
  const call = createClient({
    token: () => token,
    transport: async (path, init) => {
      const response = await fetch(`${world.url}${path}`, init);
      requireDescribed(init.method ?? 'GET', path, response.status);
      return response;
    },
    attempts: 1,
  });
  return async (name, request, options) => {
    const answer = await call(name, request, options);
    if (answer.status < 300) expect(ENDPOINTS[name].result.parse(answer.result)).toEqual(answer.result);
    return answer;
  };
}

/** A new account, signed in. */
export function signUp(world: World, name: string): Promise<Agent> {
  return signUpAs(world, `${name}@example.com`);
}

/** A new account with this address, signed in: what signing up leaves behind, without the call. */
export async function signUpAs({ context, ...world }: World, email: string): Promise<Agent> {
  const { db, clock, jobs } = context;
  const now = clock.now();
  const { id: userId, ...user } = newUser({ email, emailVerified: false, at: now });
  await db
    .insertInto('user')
    .values({ id: userId, ...user })
    .execute();
  await db
    .insertInto('user_password')
    .values({ userId, hash: await testHash, updated: user.created })
    .execute();
  await jobs.enqueue(db, 'mail.send', { mail: 'verify_email', userId });
  const origin = { address: null, userAgent: 'node', cookies: undefined };
  await rememberDevice(db, { userId, ...origin }, now);
  const token = await openSession(db, { userId, origin, now });
  return { user: { id: userId, ...user }, token, api: createApi(world, token), raw: createRaw(world, token) };
}

/** Marks a person's address as proven; the mails that do it are the matter of tests of their own. */
export function verifyAddress(world: World, person: Pick<Agent, 'user'>): Promise<void> {
  return setVerified(world, person, true);
}

/** Takes the proof of an address back, as if it had only been claimed. */
export function unverifyAddress(world: World, person: Pick<Agent, 'user'>): Promise<void> {
  return setVerified(world, person, false);
}

async function setVerified(
  { context }: World,
  { user }: Pick<Agent, 'user'>,
  emailVerified: boolean,
): Promise<void> {
  await context.db.updateTable('user').set({ emailVerified }).where('id', '=', user.id).execute();
}

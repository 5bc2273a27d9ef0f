/** A world that is set up with both identity providers, and people who pass through them. */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import { z } from 'zod';
import type { ProviderName } from '#shared/accounts/identity-providers.ts';
import { createRaw, type RawAnswer, type RawRequest } from './agent.ts';
import { startGithub, startGoogle, type LocalProvider, type ProviderPerson } from './identity-providers.ts';
import { createBrowser, fragmentOf, fromElsewhere } from './provider-browser.ts';
import { createWorld, type World } from './world.ts';

/** Where a pass through a provider ended. */
export interface Passed {
  /** Empty when it failed. */
  code: string;
  error: string | undefined;
  /** The secret of the page that began. */
  verifier: string;
  page: URL;
  visited: readonly URL[];
}

/** The world and its people. */
export interface ProviderWorld {
  world: World;
  providers: Readonly<Record<ProviderName, LocalProvider>>;
  /** Requests without a token, each from an address of its own. */
  anyone: RawRequest;
  /** Goes through a provider as this person, or declines there. */
  pass(name: ProviderName, person: ProviderPerson | undefined, at?: World): Promise<Passed>;
  /** Goes through a provider and signs in. */
  enter(name: ProviderName, person: ProviderPerson, at?: World): Promise<RawAnswer>;
  close(): Promise<void>;
}

let people = 1_000;

/** A person whom a provider has not met before. */
export function newPerson(email: string | null, verified = true): ProviderPerson {
  people += 1;
  return { id: String(people), name: 'Ada Lovelace', email, verified };
}

/** A secret of a page. */
export function newVerifier(): string {
  return randomBytes(32).toString('base64url');
}

/** Starts both providers and a world that works on jobs. */
export async function createProviderWorld(): Promise<ProviderWorld> {
  const providers = { github: await startGithub(), google: await startGoogle() };
  const world = await createWorld({
    jobs: true,
    env: { ...providers.github.env, ...providers.google.env, TRUST_PROXY: 'loopback' },
  });
  providers.github.allow(world.context.config.appOrigin);
  providers.google.allow(world.context.config.appOrigin);
  const pass: ProviderWorld['pass'] = async (name, person, at = world) => {
    providers[name].person = person;
    const verifier = newVerifier();
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const { page, visited } = await createBrowser(at).open(`/v1/auth/${name}?challenge=${challenge}`);
    const { code = '', error } = fragmentOf(page);
    return { code, error, verifier, page, visited };
  };
  return {
    world,
    providers,
    pass,
    anyone: (method, path, init = {}) =>
      createRaw(world)(method, path, { ...init, headers: { ...fromElsewhere(), ...init.headers } }),
    async enter(name, person, at = world) {
      const { code, verifier } = await pass(name, person, at);
      const body = { code, verifier };
      return createRaw(at)('POST', '/v1/auth/exchange', { body, headers: fromElsewhere() });
    },
    async close() {
      await world.close();
      await providers.github.close();
      await providers.google.close();
    },
  };
}

/** The same for a whole file of tests, which closes it at its end. */
export async function openProviderWorld(): Promise<ProviderWorld> {
  const stage = await createProviderWorld();
  afterAll(() => stage.close());
  return stage;
}

/** The accounts that name an address. */
export function accountsAt({ context }: World, email: string) {
  return context.db.selectFrom('user').selectAll().where('email', '=', email).execute();
}

const signedIn = z.object({ token: z.string() });

/** The token of a session that was just opened. */
export function tokenOf({ json }: RawAnswer): string {
  return signedIn.parse(json?.result).token;
}

/** API keys for tests, made through the API by their owner, and what a program does with one. */
import type { Scope } from '#shared/api-keys/scopes.ts';
import type { Row } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import { createRaw, verifyAddress, type Agent, type RawRequest } from './agent.ts';
import type { World } from './world.ts';

/** A key and requests that carry it. */
export interface TestKey {
  key: Row<'api_key'>;
  secret: string;
  raw: RawRequest;
}

/** Creates a key as this person, who needs a verified address for it. */
export async function createKey(
  world: World,
  owner: Pick<Agent, 'api' | 'user'>,
  given: { workspaceId: Id<'workspace'>; scopes: readonly Scope[]; expiresAt?: string | null },
): Promise<TestKey> {
  await verifyAddress(world, owner);
  const body = { name: 'Test key', ...given, scopes: [...given.scopes] };
  const { secret, ...key } = (await owner.api('api_key.create', { body })).result;
  return { key, secret, raw: createRaw(world, secret) };
}

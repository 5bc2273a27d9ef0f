/** Keys of id tokens: published before they sign, and kept until their last token has ended. */
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { OAUTH } from '#shared/oauth/limits.ts';
import { readSigningKeys } from '#server/oauth/signing-keys.ts';
import { createRaw, verifyAddress } from '#tests/support/agent.ts';
import { createCast } from '#tests/support/build.ts';
import { connect, issuerOf, registerClient } from '#tests/support/oauth.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);
await verifyAddress(world, cast.alice);
cast.alice.user.emailVerified = true;

async function published(): Promise<JSONWebKeySet> {
  const { text } = await createRaw(world)('GET', '/v1/oauth/jwks');
  return JSON.parse(text);
}

it('signs id tokens with a published key, of which only the public half is shown', async () => {
  const config = await registerClient(world);
  const { tokens } = await connect(config, cast.alice, { workspaceId: cast.workspaceId });
  const set = await published();
  expect(set.keys.every((key) => !('d' in key))).toBe(true);
  const { payload, protectedHeader } = await jwtVerify(tokens.id_token ?? '', createLocalJWKSet(set), {
    issuer: issuerOf(world),
    audience: config.clientMetadata().client_id,
  });
  expect(protectedHeader.alg).toBe('ES256');
  expect(payload.sub).toBe(cast.alice.user.id);
});

it('rotates while clients sign people in: what was signed before and after verifies with the published set', async () => {
  const config = await registerClient(world);
  const idToken = async () =>
    (await connect(config, cast.alice, { workspaceId: cast.workspaceId })).tokens.id_token ?? '';
  /** Makes all keys older, and lets the provider read them again. */
  const age = async (ms: number) => {
    await sql`update "oauth_signing_key" set "created" = "created" - make_interval(secs => ${ms / 1_000})`.execute(
      world.context.db,
    );
    world.clock.advance(60_000);
  };
  const before = await idToken();
  await age(OAUTH.keyRotationMs - OAUTH.keyPublishedAheadMs);
  const announced = await idToken();
  expect((await published()).keys).toHaveLength(2);
  await age(OAUTH.keyPublishedAheadMs);
  const after = await idToken();
  const [old, still, next] = [before, announced, after].map((token) => decodeProtectedHeader(token).kid);
  expect([still, next === old]).toEqual([old, false]);
  const set = createLocalJWKSet(await published());
  for (const token of [before, announced, after])
    expect((await jwtVerify(token, set, { issuer: issuerOf(world) })).payload.sub).toBe(cast.alice.user.id);
});

it('makes one key however many ask at once', async () => {
  const { database } = world;
  await database.db.deleteFrom('oauth_signing_key').execute();
  const all = await Promise.all(Array.from({ length: 8 }, () => readSigningKeys(world.context)));
  expect(new Set(all.map(({ version }) => version)).size).toBe(1);
});

it('publishes a successor a day before it signs, and the old key until its tokens have ended', async () => {
  const first = (await readSigningKeys(world.context)).keys[0]?.kid;
  world.clock.advance(OAUTH.keyRotationMs - OAUTH.keyPublishedAheadMs);
  const announced = await readSigningKeys(world.context);
  expect([announced.keys.length, announced.keys[0]?.kid]).toEqual([2, first]);
  expect((await published()).keys.map(({ kid }) => kid)).toEqual(announced.keys.map(({ kid }) => kid));
  world.clock.advance(OAUTH.keyPublishedAheadMs);
  const rotated = await readSigningKeys(world.context);
  expect([rotated.keys.length, rotated.keys[1]?.kid]).toEqual([2, first]);
  expect(rotated.keys[0]?.kid).not.toBe(first);
  world.clock.advance((OAUTH.idTokenSeconds + OAUTH.clockToleranceSeconds) * 1_000);
  expect((await readSigningKeys(world.context)).keys.map(({ kid }) => kid)).toEqual([rotated.keys[0]?.kid]);
});

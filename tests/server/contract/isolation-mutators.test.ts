/**
 * Isolation of tenants: every mutator, pushed by all who must not reach a workspace, with the ids of rows that are
 * there. The list is that of the product, so a new mutator is tried by itself. No row may change.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleOf } from '#shared/openapi/examples.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { newId } from '#shared/ids.ts';
import { isSyncedKind, KINDS } from '#shared/kinds.ts';
import { MUTATORS } from '#shared/mutators.ts';
import { createRaw, type RawAnswer, type RawRequest } from '#tests/support/agent.ts';
import { createCast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { storeToken } from '#tests/support/oauth.ts';
import { createMember, createVictim, idOf, readVictim, withVictim } from '#tests/support/victim.ts';
import { openWorld } from '#tests/support/world.ts';

const names = Object.keys(MUTATORS);
/** Changes that do nothing to others, and report nothing, where there is nothing for them. */
const SILENT = new Set([
  'sync.ack_results',
  'thread.open',
  'notification.remove',
  'grant.leave',
  'sidebar.unpin',
  'sidebar.collapse',
  'sidebar.save_filter',
  'sidebar.remove_filter',
]);
const resultsSchema = z.object({ results: z.array(z.object({ code: z.string() })) });

let before: string;
const world = await openWorld({ env: { EGRESS: 'public' } });
const cast = await createCast(world);
const victim = await createVictim(world, cast);
before = await readVictim(world, victim);

function kindOf(name: string): string {
  const [kind = ''] = name.split('.');
  if (!isSyncedKind(kind) && kind !== 'sync') throw new Error(`${name} is about no known kind`);
  return kind;
}

/** Arguments that the mutator accepts, with the victim's ids in them. */
function argsOf(name: string): Record<string, unknown> {
  const mutator = Object.entries(MUTATORS).find(([each]) => each === name)?.[1];
  if (!mutator) throw new Error(`There is no ${name}`);
  const schema = z.toJSONSchema(mutator.args, { io: 'input', unrepresentable: 'any' });
  const args = withVictim(victim, exampleOf(schema, Object(schema.$defs)));
  // The first of the values, which an example has, is for the server alone.
  if (kindOf(name) === 'memory' && 'origin' in args) args['origin'] = 'manual_entry';
  if ('id' in args) args['id'] = idOf(victim, name);
  // Names of results are those of a client and a mutation.
  if ('ids' in args) args['ids'] = [kindOf(name) === 'sync' ? 'a-client/1' : idOf(victim, name)];
  if ('memoryIds' in args) args['memoryIds'] = [victim['memoryId']];
  return args;
}

function livesInAccount(name: string): boolean {
  const kind = kindOf(name);
  return isSyncedKind(kind) && KINDS[kind].realm === 'userId';
}

function push(raw: RawRequest, name: string, realmId: string): Promise<RawAnswer> {
  const mutation = { clientID: newId('session'), id: 1, timestamp: 1, name, args: argsOf(name) };
  return raw('POST', `/v1/sync/${realmId}/push`, {
    body: {
      pushVersion: 1,
      schemaVersion: SYNC.schemaVersion,
      profileID: 'p',
      clientGroupID: newId('session'),
      mutations: [mutation],
    },
  });
}

/** Refused by the rules that protect the row, not for a malformed argument, which would prove nothing. */
async function expectRefused(answer: RawAnswer, name: string): Promise<void> {
  if (answer.status === 200) {
    const codes = resultsSchema.parse(answer.json).results.map(({ code }) => code);
    const protects = codes.map((code) => ['forbidden', 'not_found', 'conflict'].includes(code));
    const expected = SILENT.has(name) ? codes.map(() => true) : [true];
    expect([name, codes, protects]).toEqual([name, codes, expected]);
  } else expect([name, [401, 403, 404].includes(answer.status)]).toEqual([name, true]);
  expect(await readVictim(world, victim)).toBe(before);
}

async function keyOfOwner(): Promise<RawRequest> {
  const scopes = ['memories:write', 'spaces:write', 'threads:write'] as const;
  const { raw } = await createKey(world, cast.alice, { workspaceId: cast.workspaceId, scopes });
  before = await readVictim(world, victim);
  return raw;
}

async function tokenOfOwner(): Promise<RawRequest> {
  const scopes = ['memories:write', 'spaces:write', 'threads:write'] as const;
  const granted = { userId: cast.alice.user.id, workspaceId: cast.workspaceId, scopes };
  const token = await storeToken(world, granted);
  before = await readVictim(world, victim);
  return createRaw(world, token);
}

async function removedMember(): Promise<RawRequest> {
  const former = await createMember(world, cast, 'admin');
  const params = { workspaceId: cast.workspaceId, id: former.user.id };
  await cast.alice.api('workspace_member.remove', { params });
  before = await readVictim(world, victim);
  return former.raw;
}

describe.each<[string, () => Promise<RawRequest>]>([
  ['a caller without a credential', () => Promise.resolve(createRaw(world))],
  ['a stranger', () => Promise.resolve(cast.eve.raw)],
  ['a read-only member', () => Promise.resolve(cast.rita.raw)],
  ['a key of the owner', keyOfOwner],
  ['a token of the owner', tokenOfOwner],
  ['a removed member', removedMember],
])('pushed by %s', (_title, prepare) => {
  let raw: RawRequest;
  beforeAll(async () => {
    raw = await prepare();
  });

  it.each(names)('%s changes nothing', async (name) => {
    const realmId = victim[livesInAccount(name) ? 'userId' : 'workspaceId'] ?? '';
    await expectRefused(await push(raw, name, realmId), name);
  });
});

it.each(names)('%s pushed by a stranger into a realm of their own changes nothing', async (name) => {
  const answer = await push(
    cast.eve.raw,
    name,
    livesInAccount(name) ? cast.eve.user.id : cast.evesWorkspaceId,
  );
  const ids = new Set(Object.values(victim));
  const isForeign = Object.values(argsOf(name)).some((value) => ids.has(String(value)));
  // Without an id of the victim the change is one of the stranger's own workspace.
  if (isForeign) await expectRefused(answer, name);
  else expect(await readVictim(world, victim)).toBe(before);
});

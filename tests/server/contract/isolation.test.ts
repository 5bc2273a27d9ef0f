/**
 * Isolation of tenants: every call of the table, tried by all who must not reach a workspace, with
 * the ids of rows that are there. The checks are made from the table, so a new call is tried by itself, and fails
 * when nothing says which row it is about. No answer may carry the victim's mark, and no row may change.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isScope, SCOPE_NAMES, type Scope } from '#shared/api-keys/scopes.ts';
import { isMemberCall, isSessionCall, scopesOf, type AnyEndpoint } from '#shared/define/endpoint.ts';
import { fillPath } from '#shared/define/fill-path.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { MUTATORS } from '#shared/mutators.ts';
import { createRaw, type RawAnswer, type RawRequest } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { storeToken } from '#tests/support/oauth.ts';
import { bodyOf, createMember, createVictim, idOf, MARK, readVictim } from '#tests/support/victim.ts';
import { createWorld, type World, openWorld } from '#tests/support/world.ts';

const rows: [string, AnyEndpoint][] = Object.entries(ENDPOINTS);
const guarded = rows.filter(([, { auth }]) => auth !== 'public');
const ALL_SCOPES = SCOPE_NAMES.filter(isScope);

/** Calls about the caller alone, who may make them: what counts is that nothing of the victim is in the answer. */
const OWN = new Set([
  'auth.whoami',
  'auth.ways_in',
  'auth.confirm_options',
  'auth.update',
  'auth.confirm',
  'auth.verify_email',
  'auth.resend_verification',
  'auth.email_change',
  'auth.cancel_email_change',
  'auth.export',
  'auth.removal_plan',
  'session.list',
  'workspace.list',
  'workspace.create',
  'workspace.list_deleted',
  'workspace.list_shared',
  'invite.received',
  'share.list',
  'notification.list',
  'notification_settings.get',
  'notification_settings.replace',
  'passkey.list',
  'passkey.options',
  'passkey.create',
  'push.key',
  'push.list',
  'push.subscribe',
  'second_factor.begin',
  'second_factor.enable',
  'second_factor.remove',
  'second_factor.renew_codes',
  'staff.whoami',
  'connected_app.list',
  'oauth.check',
]);
/** Calls that would end the caller's own session or account; callers without a session are refused them like the others. */
const ENDS_CALLER = new Set(['auth.logout', 'auth.remove']);
/** Reads that name their rows in the body. */
const READS = new Set(['memory.texts']);
/** Reads and searches of a whole workspace, which show a member what that member may see. */
const isCollection = (name: string, { method, path, search, auth }: AnyEndpoint): boolean =>
  auth !== 'public' &&
  !OWN.has(name) &&
  (search === true || method === 'GET' || READS.has(name)) &&
  !/\{(?:id|spaceId|threadId|webhookId|slug)\}/.test(path);

/** What a read-only member may do in the workspace although it is a write or is about a row. */
const READER_MAY = new Set([
  'workspace.get',
  'workspace.get_by_slug',
  'workspace_member.list',
  'workspace_member.get',
  'space.clone',
  // Of what a read-only member reads.
  'export.create',
]);

let before: string;
const world = await openWorld({ env: { EGRESS: 'public' } });
const cast = await createCast(world);
const victim = await createVictim(world, cast);
before = await readVictim(world, victim);

/** Sends a call with the victim's ids; `home` puts the caller's own workspace in the place of the victim's. */
function attempt(raw: RawRequest, name: string, home?: { id: string; slug: string }): Promise<RawAnswer> {
  const row = rows.find(([each]) => each === name)?.[1];
  if (!row) throw new Error(`There is no ${name}`);
  const needsId = row.path.includes('{id}');
  const slug =
    name.startsWith('space') || name.startsWith('public_space') ? victim['spaceSlug'] : victim['slug'];
  const params = {
    ...victim,
    slug,
    ...(needsId && { id: idOf(victim, name) }),
    ...(home && { workspaceId: home.id, workspaceSlug: home.slug }),
  };
  const body = bodyOf(victim, row);
  const sent = body && home && 'workspaceId' in body ? { ...body, workspaceId: home.id } : body;
  return raw(row.method, fillPath(row.path, params), { body: sent });
}

/** What an answer to a person who must not reach the row may be. */
function check(name: string, answer: RawAnswer, expected: readonly number[] | 'own'): void {
  expect([name, answer.text.includes(MARK)]).toEqual([name, false]);
  if (expected === 'own') return expect([name, answer.status < 500]).toEqual([name, true]);
  // An authorization request is looked at before the workspace, and the one in the example is none.
  const allowed = name === 'oauth.authorize' ? [...expected, 400] : expected;
  const said = [answer.status, answer.text.slice(0, 200)];
  expect([name, allowed.includes(answer.status), ...said]).toEqual([name, true, ...said]);
  return undefined;
}

const REFUSED = [403, 404];

/** A person who is in no way a member: their own things are theirs, and nothing else is there. */
function outside(name: string, row: AnyEndpoint): readonly number[] | 'own' {
  if (isMemberCall(row)) return [403];
  if (OWN.has(name)) return 'own';
  return REFUSED;
}

/** Each group of checks has a server of its own, so that no limit is met, and looks at the victim's rows at its end. */
function caller(
  title: string,
  prepare: (own: World) => Promise<RawRequest>,
  body: (raw: () => RawRequest) => void,
) {
  describe(`for ${title}`, () => {
    let own: World;
    let raw: RawRequest;
    beforeAll(async () => {
      await world.context.db.deleteFrom('rate_limit').execute();
      own = await createWorld({ database: world.database });
      raw = await prepare(own);
    });
    afterAll(async () => {
      await own.close();
      expect(await readVictim(world, victim)).toBe(before);
    });
    body(() => raw);
  });
}

const named = guarded.map(([name]) => name);
const harmless = named.filter((name) => !ENDS_CALLER.has(name));
const rowOf = (name: string): AnyEndpoint => {
  const row = rows.find(([each]) => each === name)?.[1];
  if (!row) throw new Error(`There is no ${name}`);
  return row;
};

caller(
  'without a credential',
  (own) => Promise.resolve(createRaw(own)),
  (raw) => {
    it.each(named)('%s is refused', async (name) => {
      check(name, await attempt(raw(), name), [401]);
    });
  },
);

caller(
  'a stranger with a workspace of their own',
  (own) => Promise.resolve(createRaw(own, cast.eve.token)),
  (raw) => {
    it.each(harmless)('%s is refused', async (name) => {
      check(name, await attempt(raw(), name), outside(name, rowOf(name)));
    });
  },
);

caller(
  'a removed member',
  async (own) => {
    const former = await createMember(world, cast, 'admin');
    await cast.alice.api('workspace_member.remove', {
      params: { workspaceId: cast.workspaceId, id: former.user.id },
    });
    before = await readVictim(world, victim);
    return createRaw(own, former.token);
  },
  (raw) => {
    it.each(harmless)('%s is refused', async (name) => {
      check(name, await attempt(raw(), name), outside(name, rowOf(name)));
    });
  },
);

caller(
  'a read-only member, of what is private',
  (own) => Promise.resolve(createRaw(own, cast.rita.token)),
  (raw) => {
    it.each(harmless)('%s', async (name) => {
      const row = rowOf(name);
      const isOwn = OWN.has(name) || READER_MAY.has(name) || isCollection(name, row);
      check(name, await attempt(raw(), name), isOwn ? 'own' : REFUSED);
    });
  },
);

caller(
  'a key of the owner without the scope',
  async (own) => createRaw(own, (await keyOf(['openid'])).secret),
  (raw) => {
    it.each(named)('%s is refused', async (name) => {
      check(name, await attempt(raw(), name), [403]);
    });
  },
);

/** An export or upload of the caller's own: what it reads, and where its memory may go, is judged by their spaces. */
const BEGINS_OWN = new Set(['export.create', 'upload.create']);

/** What a credential of the owner that is limited to another space may do with the victim's rows. */
function elsewhere(name: string): readonly number[] | 'own' {
  const row = rowOf(name);
  if (isSessionCall(row) || row.limitable !== true) return [403];
  const isPlain =
    OWN.has(name) || isCollection(name, row) || name.startsWith('workspace.get') || BEGINS_OWN.has(name);
  return isPlain ? 'own' : REFUSED;
}

caller(
  'a key of the owner for another space',
  async (own) => {
    const elsewhere = await createBuild(cast).space({ name: 'Elsewhere' });
    before = await readVictim(world, victim);
    const { key, secret } = await keyOf(ALL_SCOPES);
    await world.context.db
      .updateTable('api_key')
      .set({ spaceIds: [elsewhere.id] })
      .where('id', '=', key.id)
      .execute();
    before = await readVictim(world, victim);
    return createRaw(own, secret);
  },
  (raw) => {
    it.each(named)('%s', async (name) => {
      check(name, await attempt(raw(), name), elsewhere(name));
    });
  },
);

caller(
  'a token of the owner for another space',
  async (own) => {
    const space = await createBuild(cast).space({ name: 'Elsewhere too' });
    before = await readVictim(world, victim);
    const granted = { userId: cast.alice.user.id, workspaceId: cast.workspaceId };
    return createRaw(own, await storeToken(world, { ...granted, scopes: ALL_SCOPES, spaceIds: [space.id] }));
  },
  (raw) => {
    it.each(named)('%s', async (name) => {
      check(name, await attempt(raw(), name), elsewhere(name));
    });
  },
);

caller(
  'a token of the owner for another workspace',
  async (own) => {
    const { result } = await cast.alice.api('workspace.create', { body: { name: 'The other one' } });
    before = await readVictim(world, victim);
    const given = { userId: cast.alice.user.id, workspaceId: result.id, scopes: ALL_SCOPES };
    return createRaw(own, await storeToken(world, given));
  },
  (raw) => {
    it.each(named)('%s is refused', async (name) => {
      const row = rowOf(name);
      check(name, await attempt(raw(), name), OWN.has(name) && !isSessionCall(row) ? 'own' : REFUSED);
    });
  },
);

caller(
  'a key of a stranger',
  async (own) => {
    const { secret } = await createKey(world, cast.eve, {
      workspaceId: cast.evesWorkspaceId,
      scopes: ALL_SCOPES,
    });
    return createRaw(own, secret);
  },
  (raw) => {
    it.each(named)('%s is refused', async (name) => {
      const row = rowOf(name);
      check(name, await attempt(raw(), name), OWN.has(name) && !isSessionCall(row) ? 'own' : REFUSED);
    });
  },
);

/** Calls that carry an id of the victim beside the workspace. */
const withForeignIds = harmless.filter((name) => {
  const { path, body } = rowOf(name);
  const fields = body
    ? Object.keys(Object(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).properties))
    : [];
  return (
    /\{(?:id|spaceId|threadId|webhookId)\}/.test(path) ||
    fields.some((field) => /^(?:spaceId|memoryId|threadId|messageId|userId)$/.test(field))
  );
});

caller(
  'a stranger who names the rows in their own workspace',
  (own) => Promise.resolve(createRaw(own, cast.eve.token)),
  (raw) => {
    it.each(withForeignIds)('%s finds nothing', async (name) => {
      const row = rowOf(name);
      const home = { id: cast.evesWorkspaceId, slug: cast.slug };
      const body = bodyOf(victim, row) ?? {};
      const carries =
        /\{(?:id|spaceId|threadId|webhookId)\}/.test(row.path) ||
        Object.values(body).some(
          (value) => value !== victim['workspaceId'] && Object.values(victim).includes(String(value)),
        );
      const answer = await attempt(raw(), name, home);
      check(name, answer, carries ? [400, 403, 404, 409] : 'own');
    });
  },
);

caller(
  'a visitor, of what is not public',
  (own) => Promise.resolve(createRaw(own)),
  (raw) => {
    it.each(
      rows
        .filter(([name, { auth }]) => auth === 'public' && name.startsWith('public_'))
        .map(([name]) => name),
    )('%s', async (name) => {
      const row = rowOf(name);
      const aboutRow =
        /\{(?:id|spaceId|threadId|slug)\}/.test(row.path) || 'threadId' in (bodyOf(victim, row) ?? {});
      check(name, await attempt(raw(), name), aboutRow ? [404, 429] : 'own');
    });
  },
);

async function keyOf(scopes: readonly Scope[]) {
  const made = await createKey(world, cast.alice, { workspaceId: cast.workspaceId, scopes });
  before = await readVictim(world, victim);
  return made;
}

it('the matrix has at least 850 checks', () => {
  const perCaller = [named, harmless, harmless, harmless, named, named, named, named, named, withForeignIds];
  const publicCalls = rows.filter(([name, { auth }]) => auth === 'public' && name.startsWith('public_'));
  const calls = perCaller.reduce((sum, list) => sum + list.length, publicCalls.length);
  const mutators = Object.keys(MUTATORS).length * 7;
  expect(calls + mutators).toBeGreaterThanOrEqual(850);
  for (const [name, row] of guarded)
    expect([name, row.scope === undefined || scopesOf(row).length > 0]).toEqual([name, true]);
});

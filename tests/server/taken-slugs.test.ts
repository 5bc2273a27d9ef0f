/**
 * Addresses that several people want at the same moment: one gets a chosen one, and all get one that is made of a name. A chosen
 * address of a space is numbered, since it may be taken by something that the person does not see.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { createRaw, type RawAnswer } from '#tests/support/agent.ts';
import { createCast } from '#tests/support/build.ts';
import { fieldOf } from '#tests/support/staff.ts';
import { openWorld } from '#tests/support/world.ts';

/** Two people on two servers, and two of these once more. */
const AT_ONCE = 6;

const world = await openWorld();
const second = await openWorld({ database: world.database });
const cast = await createCast(world);
afterAll(async () => {
  await second.close();
});

/** The same request on both servers by both people, several times. */
function atOnce(path: string, body: object, tokens: readonly [string, string]): Promise<RawAnswer[]> {
  const callers = [world, second].flatMap((server) => tokens.map((token) => createRaw(server, token)));
  return Promise.all([...callers, ...callers.slice(0, 2)].map((call) => call('POST', path, { body })));
}

const statusesOf = (answers: readonly RawAnswer[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);
const slugsOf = (answers: readonly RawAnswer[]) => answers.map(({ json }) => fieldOf(json?.result, 'slug'));
const ONE_WINS = [201, 409, 409, 409, 409, 409];

describe('workspaces', () => {
  it('with a chosen address: one is founded, the others are told that it is taken', async () => {
    const tokens = [cast.alice.token, cast.eve.token] as const;
    expect(
      statusesOf(await atOnce('/v1/workspaces', { name: 'Race', slug: 'wanted-by-all' }, tokens)),
    ).toEqual(ONE_WINS);
  });

  it('of one name: each is founded, at an address of its own', async () => {
    const answers = await atOnce('/v1/workspaces', { name: 'Same name' }, [cast.alice.token, cast.eve.token]);
    expect(statusesOf(answers)).toEqual(answers.map(() => 201));
    expect(new Set(slugsOf(answers)).size).toBe(AT_ONCE);
  });
});

describe('spaces of a workspace', () => {
  const spaces = (body: object) =>
    atOnce('/v1/spaces', { workspaceId: cast.workspaceId, ...body }, [cast.alice.token, cast.bob.token]);

  it.each([{ name: 'Race', slug: 'wanted' }, { name: 'Same name' }])(
    'as %j: each is made, and all but one at a numbered address',
    async (body) => {
      const answers = await spaces(body);
      expect(statusesOf(answers)).toEqual(answers.map(() => 201));
      expect(new Set(slugsOf(answers)).size).toBe(AT_ONCE);
    },
  );
});

/**
 * The same page captured on two devices without network: the server decides under its lock, both end up
 * with one memory, and nothing that either person wrote or did about it is lost.
 */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId, type Id } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { editBlock } from '#shared/memories/quotes.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import type { Agent } from '#tests/support/agent.ts';
import { openReplicas, type TestReplica } from '#tests/support/replicas.ts';
import { openWorld } from '#tests/support/world.ts';
import { Oracle } from './oracle.ts';
import { expectTruth } from './replica-truth.ts';

const URL_ONE = 'https://example.com/page?b=2&a=1&utm_source=x#top';
const SAME_URL = 'http://Example.com/page?a=1&b=2';

let cast: Cast;
let devices: TestReplica[] = [];
const world = await openWorld();
const oracle = new Oracle(world.database.url);
beforeEach(async () => {
  await closeDevices();
  cast = await createCast(world);
  devices = [await deviceOf(cast.alice), await deviceOf(cast.bob)];
});
afterAll(async () => {
  await closeDevices();
  await oracle.close();
});

const closeDevices = () => Promise.all(devices.splice(0).map((device) => device.close()));
const at = () => world.clock.now().toISOString();

async function deviceOf({ token, user }: Agent): Promise<TestReplica> {
  const who = { servers: [world.url], token, userId: user.id, realmId: cast.workspaceId };
  const [device] = openReplicas([who]);
  if (device === undefined) throw new Error('no replica');
  await device.settle();
  return device;
}

async function capture(device: TestReplica, url: string, fields: object = {}): Promise<Id<'memory'>> {
  const id = newId('memory');
  await device.mutate('memory.create', { id, at: at(), origin: 'web', url, ...fields });
  return id;
}

async function backOnline(): Promise<void> {
  for (const device of devices) {
    device.online();
    await device.settle();
  }
  for (const device of devices) {
    await device.settle();
    await expectTruth(device, oracle, cast.workspaceId);
  }
}

const memory = z.looseObject({
  id: z.string(),
  title: z.string().nullable(),
  notes: z.string().nullable(),
  tags: z.array(z.string()),
  archived: z.boolean(),
  deletedAt: z.string().nullable(),
});
const memoriesOn = async (device: TestReplica) =>
  [...(await device.rows('4/m/')).values()].map((row) => memory.parse(row));

async function twoDevices(): Promise<[TestReplica, TestReplica]> {
  const [one, other] = devices;
  if (!one || !other) throw new Error('no devices');
  for (const device of devices) device.offline();
  return [one, other];
}

describe('one page captured offline on two devices', () => {
  it('is one memory on both, with what each of them wrote', async () => {
    const [one, other] = await twoDevices();
    const first = await capture(one, URL_ONE, { notes: 'what alice thinks', tags: ['red'] });
    await capture(other, SAME_URL, { title: 'Bob’s title', notes: 'what bob thinks', tags: ['blue'] });
    await backOnline();
    for (const device of devices) {
      const [kept, ...more] = await memoriesOn(device);
      expect(more).toEqual([]);
      expect(kept).toMatchObject({ id: first, title: 'Bob’s title', tags: ['red', 'blue'] });
      expect(kept?.notes).toContain('what alice thinks');
      expect(kept?.notes).toContain('what bob thinks');
    }
    expect([...(await one.results()), ...(await other.results())]).toEqual([]);
  });

  it('takes what the second device did to its own copy', async () => {
    const [one, other] = await twoDevices();
    const space = await createBuild(cast).space({ visibility: 'workspace', name: 'Reading' });
    other.online();
    await other.settle();
    other.offline();
    const first = await capture(one, URL_ONE, { title: 'First' });
    const second = await capture(other, SAME_URL);
    await other.mutate('memory.update', { id: second, at: at(), title: 'A better title' });
    await other.mutate('memory.add_tags', { id: second, at: at(), tags: ['later'] });
    await other.mutate('memory.set_notes', { id: second, at: at(), notes: 'typed later', baseHash: null });
    await other.mutate('space_memory.create', { spaceId: space.id, memoryId: second, at: at() });
    await backOnline();
    const [kept, ...more] = await memoriesOn(one);
    expect(more).toEqual([]);
    expect(kept).toMatchObject({ id: first, title: 'A better title', tags: ['later'], notes: 'typed later' });
    expect([...(await one.rows('5/sm/')).keys()]).toHaveLength(1);
    expect(await other.results()).toEqual([]);
  });

  it('stays when the second device takes its capture back', async () => {
    const [one, other] = await twoDevices();
    const first = await capture(one, URL_ONE, { title: 'First' });
    const second = await capture(other, SAME_URL);
    await other.mutate('memory.remove', { id: second, at: at() });
    await backOnline();
    expect(await memoriesOn(other)).toMatchObject([{ id: first, deletedAt: null }]);
    expect(await other.results()).toEqual([]);
  });

  it('is two memories when the second one is captured into a private space with words in it', async () => {
    const [one, other] = await twoDevices();
    const home = newId('space');
    await other.mutate('space.create', {
      id: home,
      at: at(),
      name: 'Mine',
      slug: 'mine',
      visibility: 'private',
    });
    await capture(one, URL_ONE, { title: 'First' });
    await capture(other, SAME_URL, { spaceId: home, notes: 'for my eyes only' });
    await backOnline();
    expect(JSON.stringify(await memoriesOn(one))).not.toContain('for my eyes only');
    expect(await memoriesOn(other)).toHaveLength(2);
  });

  it('is the same memory over REST', async () => {
    const [one] = await twoDevices();
    const first = await capture(one, URL_ONE, { title: 'First' });
    await backOnline();
    const body = { workspaceId: cast.workspaceId, url: SAME_URL, notes: 'from the extension' };
    const { status, result, meta } = await cast.bob.api('memory.create', { body });
    expect([status, result.id, meta]).toMatchObject([200, first, { duplicate: true }]);
    expect(result.notes).toBe('from the extension');
  });
});

describe('quotes of one page that two people highlight without network', () => {
  /** An edit as a device makes it that knows the whole text. */
  function adding(quote: string, text: string) {
    const notes = editBlock(text, { from: null, to: quote });
    return { at: at(), notes, baseHash: bodyFields(text).bodyHash, from: null, to: quote };
  }

  async function devicesWith(notes: string) {
    const { id } = await createBuild(cast).memory({ url: URL_ONE, notes });
    const devices = await twoDevices();
    for (const device of devices) {
      device.online();
      await device.settle();
      device.offline();
    }
    return { id, devices };
  }

  it.each([
    ['short', 'Mine.'],
    ['too long for replicas', 'Words of mine. '.repeat(500).trim()],
  ])('all stay in notes that are %s, once and without a conflict', async (_name, text) => {
    const {
      id,
      devices: [one, other],
    } = await devicesWith(text);
    await one.mutate('memory.edit_quote', { id, ...adding('> One', text) });
    await one.mutate('memory.edit_quote', { id, ...adding('> Two', `${text}\n\n> One`) });
    await other.mutate('memory.edit_quote', { id, ...adding('> Other', text) });
    await other.mutate('memory.edit_quote', { id, ...adding('> One', `${text}\n\n> Other`) });
    await backOnline();
    const { workspaceId, alice } = cast;
    const { result } = await alice.api('memory.get', { params: { workspaceId, id } });
    expect(result.notes).toBe(`${text}\n\n> One\n\n> Two\n\n> Other`);
    for (const device of [one, other]) {
      expect(await device.results()).toEqual([]);
      expect(await memoriesOn(device)).toMatchObject([{ id, bodyHash: bodyFields(result.notes).bodyHash }]);
    }
  });

  it('follow a capture into the memory that was there', async () => {
    const [one, other] = await twoDevices();
    const first = await capture(one, URL_ONE);
    const second = await capture(other, SAME_URL);
    await other.mutate('memory.edit_quote', { id: second, ...adding('> Theirs', '') });
    await backOnline();
    expect(await memoriesOn(other)).toMatchObject([{ id: first, notes: '> Theirs' }]);
  });

  it('are refused once their author was removed', async () => {
    const { workspaceId, alice, bob } = cast;
    const {
      id,
      devices: [, other],
    } = await devicesWith('Mine.');
    await other.mutate('memory.edit_quote', { id, ...adding('> Late', 'Mine.') });
    const { result: members } = await alice.api('workspace_member.list', { params: { workspaceId } });
    const member = members.find(({ userId }) => userId === bob.user.id);
    if (member === undefined) throw new Error('no member');
    await alice.api('workspace_member.remove', { params: { workspaceId, id: member.id } });
    other.online();
    await other.settle();
    const { result } = await alice.api('memory.get', { params: { workspaceId, id } });
    expect(result.notes).toBe('Mine.');
  });
});

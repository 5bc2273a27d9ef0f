/** The rows of the last screen: shown before the worker has read the device, and no longer than until then. */
import { parseHTML } from 'linkedom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '#shared/ids.ts';
import { keyOf } from '#shared/sync/keys.ts';
import { firstRowsOf, takeFirstRows, type FirstRows } from '#client/replica/first-rows.ts';
import type { KeyChange } from '#client/replica/mirror.ts';
import { Replica } from '#client/replica/replica.ts';
import { INITIAL_FACTS } from '#client/replica/status.ts';
import { ReplicaView } from '#client/replica/view.ts';
import type { FromWorker } from '#client/replica/wire.ts';
import { rowsElement } from '#client/start/snapshot-rows.ts';
import {
  linkRow,
  memberRow,
  memoryRow,
  minute,
  spaceRow,
  USER,
  WORKSPACE,
} from '#tests/support/replica-rows.ts';

const member = memberRow();
const space = spaceRow({ name: 'Pears' });
const [older, newer, hidden] = [1, 2, 3].map((at) => memoryRow({ title: `Note ${at}`, created: minute(at) }));
const changes = (...rows: KeyChange[]) => rows;
const memberChange = (): KeyChange => [keyOf('workspace_member', member), member];
const memory = (row: typeof older): KeyChange => [keyOf('memory', row ?? memoryRow()), row];

function openReplica(firstRows?: FirstRows) {
  let post: (message: FromWorker) => void = () => {};
  const port = { send: () => {}, listen: (hear: typeof post) => void (post = hear), terminate: () => {} };
  const session = { userId: USER, token: 't', apiBase: '', memoryOnly: false };
  const forgetScreens = vi.fn(async () => {});
  const replica = new Replica({ port, session, firstRows, forgetScreens });
  replica.openWorkspace(WORKSPACE);
  return {
    replica,
    forgetScreens,
    titles: () => new ReplicaView(replica.mirrors).list('memory').map(({ title }) => title),
    send: (rows: readonly KeyChange[]) =>
      post({ type: 'rows', realmId: WORKSPACE, changes: structuredClone(rows), bulk: false }),
    loaded: () => post({ type: 'facts', realmId: WORKSPACE, facts: { ...INITIAL_FACTS, loaded: true } }),
  };
}

/** What a page that shows the two older notes leaves for the next start. */
function screenOfTwo(): FirstRows {
  const { replica, send } = openReplica();
  send(
    changes(
      memberChange(),
      [keyOf('space', space), space],
      ...[older, newer, hidden].map((row) => memory(row)),
      [`5/sm/${space.id}/${older?.id}`, linkRow(space.id, older?.id ?? newId('memory'))],
    ),
  );
  replica.counts.set('memories', 3);
  const rows = firstRowsOf(replica, [older?.id ?? '', newer?.id ?? '']);
  return JSON.parse(JSON.stringify(rows));
}

afterEach(() => vi.unstubAllGlobals());

describe('first rows', () => {
  it('are those of the screen: its memories with their spaces, and what is around them', () => {
    const { replica, titles } = openReplica(screenOfTwo());
    const view = new ReplicaView(replica.mirrors);
    expect(titles()).toEqual(['Note 2', 'Note 1']);
    expect(view.spacesOf(older?.id ?? '')).toMatchObject([{ name: 'Pears' }]);
    expect(view.position(USER)).toBe('owner');
    expect(replica.counts.get('memories')).toBe(3);
    expect(replica.firstSync().state).toBe('opening');
  });

  it('stay the same objects where the device has equal ones, and are replaced by changed ones', () => {
    const { replica, titles, send, loaded } = openReplica(screenOfTwo());
    const shown = new ReplicaView(replica.mirrors).get('memory', older?.id ?? '');
    send(changes(memberChange(), memory(older), memory(newer && { ...newer, title: 'Changed' })));
    loaded();
    expect(titles()).toEqual(['Changed', 'Note 1']);
    expect(new ReplicaView(replica.mirrors).get('memory', older?.id ?? '')).toBe(shown);
  });

  it('go when the device has been read and does not have them, with what is stored of that screen', () => {
    const { titles, send, loaded, forgetScreens } = openReplica(screenOfTwo());
    send(changes(memberChange(), memory(older)));
    expect(titles()).toEqual(['Note 2', 'Note 1']);
    expect(forgetScreens).not.toHaveBeenCalled();
    loaded();
    expect(titles()).toEqual(['Note 1']);
    expect(forgetScreens).toHaveBeenCalledOnce();
  });

  it('do not come back when the workspace is opened again', () => {
    const { replica, titles } = openReplica(screenOfTwo());
    replica.openWorkspace(undefined);
    replica.openWorkspace(WORKSPACE);
    expect(titles()).toEqual([]);
  });

  it('reach the page of their person through its document, whatever their texts are', () => {
    const title = '</script><script>alert(1)</script>';
    const rows = { userId: USER, counts: {}, realms: { [WORKSPACE]: [memory(memoryRow({ title }))] } };
    const { document } = parseHTML(`<body>${rowsElement(JSON.stringify(rows))}</body>`);
    vi.stubGlobal('document', document);
    expect(document.querySelectorAll('script')).toHaveLength(1);
    expect(takeFirstRows(USER)).toEqual(rows);
    expect(takeFirstRows(USER)).toBeUndefined();
  });

  it('of another person are not taken', () => {
    const { document } = parseHTML(`<body>${rowsElement(JSON.stringify(screenOfTwo()))}</body>`);
    vi.stubGlobal('document', document);
    expect(takeFirstRows(newId('user'))).toBeUndefined();
  });
});

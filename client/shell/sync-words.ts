/**
 * What the sync indicator says for each state, and how a waiting or refused change is called in plain words.
 * Words only; states come from the replica.
 */
import type { StorageState, SyncStateName, SyncStatus } from '#client/replica/status.ts';

/** State → the line beside the dot. */
export function syncLabel(state: SyncStateName, count: number): string {
  switch (state) {
    case 'sign-in':
      return 'Sign in again';
    case 'update':
      return 'Update needed';
    case 'attention':
      return count === 1 ? '1 change needs attention' : `${count} changes need attention`;
    case 'offline':
      return count === 0 ? 'Offline' : `Offline, ${count} waiting`;
    case 'saved-here':
      return 'Saved here';
    case 'syncing':
      return count === 0 ? 'Syncing' : `Syncing ${count}`;
    default:
      return 'Synced';
  }
}

const STORAGE_LABELS: Readonly<Record<StorageState, string | undefined>> = {
  ok: undefined,
  memory: 'Not kept on this device',
  full: 'No room on this device',
  lost: 'Reload this page',
};

/** The same for a device that does not keep what is done on it; undefined while it does. */
export function storageLabel(storage: StorageState): string | undefined {
  return STORAGE_LABELS[storage];
}

/** States that ask for an act. */
export const URGENT_STATES: ReadonlySet<SyncStateName> = new Set(['sign-in', 'update', 'attention']);

/** What somebody should know who does not see the indicator; undefined while all is well. */
export function syncTrouble({ state, count, storage }: SyncStatus): string | undefined {
  if (URGENT_STATES.has(state)) return syncLabel(state, count);
  return storageLabel(storage) ?? (state === 'offline' ? syncLabel(state, count) : undefined);
}

/** State → what it means, in one sentence. */
export function syncExplanation(state: SyncStateName, storage: StorageState): string {
  switch (state) {
    case 'sign-in':
      return 'Your session ended. What waits here is sent after you sign in again.';
    case 'update':
      return 'This version is too old for the server. Reload the page; nothing is lost.';
    case 'attention':
      return 'The server refused these changes. Copy what you need, try again, or discard them.';
    case 'offline':
      return storage === 'ok'
        ? 'The server cannot be reached. Everything you do is kept on this device and sent later.'
        : 'The server cannot be reached. What you do is sent later, as long as this page stays open.';
    case 'saved-here':
      return 'Everything is kept on this device. The server has not confirmed it yet.';
    case 'syncing':
      return 'Changes are on their way.';
    default:
      return 'Everything on this device is also on the server.';
  }
}

const VERBS: Readonly<Record<string, string>> = {
  create: 'New',
  update: 'Change to',
  remove: 'Deletion of',
  restore: 'Return of',
  retry: 'Another try at',
  move: 'Move of',
  set_notes: 'Notes of',
  add_tags: 'Tags on',
  remove_tags: 'Tags off',
  open: 'Opening of',
};

const NOUNS: Readonly<Record<string, string>> = {
  memory: 'a memory',
  space: 'a space',
  space_memory: 'a memory in a space',
  thread: 'a thread',
  message: 'a message',
  workspace: 'the workspace',
  notification: 'a notification',
};

/** `memory.create` → "New memory"; unknown names stay as they are. */
export function changeLabel(name: string): string {
  const [noun = '', verb = ''] = name.split('.');
  const object = NOUNS[noun];
  const act = VERBS[verb];
  if (object === undefined || act === undefined) return name;
  return verb === 'create' ? `New ${object.replace(/^an? /, '')}` : `${act} ${object}`;
}

/** The words in a change's arguments that a person would recognise it by. */
export function changeDetail(args: unknown): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined;
  for (const key of ['title', 'name', 'notes', 'content', 'url', 'tags']) {
    const value: unknown = Reflect.get(args, key);
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 200);
    if (Array.isArray(value) && value.length > 0) return value.map(String).join(', ');
  }
  return undefined;
}

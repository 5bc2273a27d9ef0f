/**
 * The texts of the sync indicator for each state, and the labels of waiting and refused changes.
 */
import type { StorageState, SyncStateName, SyncStatus, TextProgress } from '#client/replica/status.ts';
import { countOf, formatCount, countMemories } from '#shared/english.ts';

function textsLabel({ here, total, isFull }: TextProgress): string {
  const counted = `${formatCount(here)} of ${formatCount(total)}`;
  return isFull ? `No room for texts: ${counted}` : `Texts: ${counted}`;
}

/** State → the line beside the dot. */
export function syncLabel(state: SyncStateName, count: number, texts?: TextProgress): string {
  switch (state) {
    case 'sign-in':
      return 'Sign in again';
    case 'update':
      return 'Update needed';
    case 'attention':
      return countOf(count, 'change needs attention', 'changes need attention');
    case 'offline':
      return count === 0 ? 'Offline' : `Offline, ${count} waiting`;
    case 'saved-here':
      return 'Saved here';
    case 'syncing':
      if (count > 0) return `Syncing ${count}`;
      return texts && texts.here < texts.total ? textsLabel(texts) : 'Syncing';
    default:
      return 'Synced';
  }
}

const STORAGE_LABELS: Readonly<Record<StorageState, string | undefined>> = {
  ok: undefined,
  memory: 'Not stored on this device',
  full: 'Device storage full',
  lost: 'Reload this page',
};

/** The same for a device that cannot store changes; undefined otherwise. */
export function storageLabel(storage: StorageState): string | undefined {
  return STORAGE_LABELS[storage];
}

/** States that need an action of the person. */
export const URGENT_STATES: ReadonlySet<SyncStateName> = new Set(['sign-in', 'update', 'attention']);

/** The problem in a sentence or two, for a person who does not see the indicator; undefined when there is none. */
export function syncTrouble({ state, count, storage, texts }: SyncStatus): string | undefined {
  if (URGENT_STATES.has(state)) return syncLabel(state, count);
  if (state === 'syncing' && texts?.isFull) return syncLabel(state, count, texts);
  const offline = state === 'offline' ? syncLabel(state, count) : undefined;
  const stored = storageLabel(storage);
  return offline && stored ? `${offline}. ${stored}` : (offline ?? stored);
}

/** State → what it means, in one sentence. */
export function syncExplanation(state: SyncStateName, storage: StorageState, texts?: TextProgress): string {
  switch (state) {
    case 'sign-in':
      return 'Your session ended. Waiting changes are sent after you sign in again.';
    case 'update':
      return 'This version is too old for the server. Reload the page; nothing is lost.';
    case 'attention':
      return 'The server rejected these changes. Copy what you need, retry, or discard them.';
    case 'offline':
      return storage === 'ok'
        ? 'The server cannot be reached. Your changes are saved on this device and sent later.'
        : 'The server cannot be reached. Your changes are sent later, as long as this page stays open.';
    case 'saved-here':
      return 'Everything is saved on this device. The server has not confirmed it yet.';
    case 'syncing':
      if (!texts || texts.here === texts.total) return 'Sending changes.';
      return texts.isFull
        ? 'This device has no room for all long texts. The others open when you are online.'
        : 'Downloading long texts, so that they open without a network.';
    default:
      return 'Everything on this device is also on the server.';
  }
}

/** Names of mutations that are not their verb and their noun. */
const LABELS: Readonly<Record<string, string>> = {
  'memory.set_notes': 'Edit notes',
  'memory.edit_quote': 'Edit a highlight',
  'memory.forget_summary': 'Remove a summary',
  'memory.add_tags': 'Add tags',
  'memory.remove_tags': 'Remove tags',
  'memory.archive_many': 'Archive or unarchive memories',
  'memory.add_tags_many': 'Add tags to memories',
  'memory.remove_tags_many': 'Remove tags from memories',
  'memory.move_many': 'Move memories',
  'memory.remove_many': 'Delete memories',
  'memory.restore_many': 'Restore memories',
  'space_memory.create_many': 'Add memories to space',
  'space_memory.remove_many': 'Remove memories from space',
  'space.color_many': 'Change the colour of spaces',
  'sidebar.pin': 'Pin a space',
  'sidebar.unpin': 'Unpin a space',
  'sidebar.move': 'Move a space in the sidebar',
  'sidebar.collapse': 'Collapse or open a part of the sidebar',
  'sidebar.save_filter': 'Save a filter',
  'sidebar.remove_filter': 'Remove a saved filter',
  'grant.put': 'Share with a person',
  'grant.remove': 'Stop sharing with a person',
  'grant.leave': 'Leave a share',
  'space_memory.create': 'Add memory to space',
  'space_memory.remove': 'Remove memory from space',
  'message.create': 'Send message',
  'notification.update': 'Update notification',
};

const VERBS: Readonly<Record<string, string>> = {
  create: 'Create',
  branch: 'Branch',
  update: 'Edit',
  remove: 'Delete',
  restore: 'Restore',
  retry: 'Retry',
  move: 'Move',
  open: 'Open',
};

const NOUNS: ReadonlySet<string> = new Set([
  'memory',
  'space',
  'thread',
  'message',
  'workspace',
  'notification',
]);

/** `memory.create` → "Create memory"; unknown names stay as they are. */
export function changeLabel(name: string): string {
  const [noun = '', verb = ''] = name.split('.');
  const act = VERBS[verb];
  return LABELS[name] ?? (act !== undefined && NOUNS.has(noun) ? `${act} ${noun}` : name);
}

/** The words in a change's arguments that a person would recognise it by. */
export function changeDetail(args: unknown): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined;
  for (const key of ['title', 'name', 'notes', 'content', 'url', 'tags']) {
    const value: unknown = Reflect.get(args, key);
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 200);
    if (Array.isArray(value) && value.length > 0) return value.map(String).join(', ');
  }
  for (const key of ['ids', 'memoryIds']) {
    const ids: unknown = Reflect.get(args, key);
    if (Array.isArray(ids)) return countMemories(ids.length);
  }
  return undefined;
}

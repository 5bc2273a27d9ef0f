// All mutations collected under their public names. Replicas replay old names after an upgrade: a name or an
// argument shape is never changed, only added (tests/contract holds a snapshot).
import type { z } from 'zod';
import type { MutatorConfig } from './define/mutator.ts';
import * as memories from './memories/mutators.ts';
import * as notifications from './notifications/mutators.ts';
import * as spaces from './spaces/mutators.ts';
import * as sync from './sync/mutators.ts';
import * as threads from './threads/mutators.ts';
import * as workspaces from './workspaces/mutators.ts';

export const MUTATORS = {
  'memory.create': memories.createMemory,
  'memory.update': memories.updateMemory,
  'memory.set_notes': memories.setMemoryNotes,
  'memory.add_tags': memories.addMemoryTags,
  'memory.remove_tags': memories.removeMemoryTags,
  'memory.retry': memories.retryMemory,
  'memory.move': memories.moveMemory,
  'memory.remove': memories.removeMemory,
  'memory.restore': memories.restoreMemory,
  'space.create': spaces.createSpace,
  'space.update': spaces.updateSpace,
  'space.remove': spaces.removeSpace,
  'space.restore': spaces.restoreSpace,
  'space_memory.create': spaces.addMemoryToSpace,
  'space_memory.remove': spaces.removeMemoryFromSpace,
  'thread.create': threads.createThread,
  'thread.update': threads.updateThread,
  'thread.remove': threads.removeThread,
  'thread.restore': threads.restoreThread,
  'thread.open': threads.openThread,
  'message.create': threads.createMessage,
  'workspace.update': workspaces.updateWorkspace,
  'notification.update': notifications.updateNotification,
  'notification.remove': notifications.removeNotification,
  'sync.ack_results': sync.acknowledgeResults,
} as const;

export type MutatorName = keyof typeof MUTATORS;
/** What a caller passes to a mutation. */
export type MutatorArgs<N extends MutatorName> = z.input<(typeof MUTATORS)[N]['args']>;

/** The declaration behind a name, for code that gets the name from outside; undefined when there is none. */
export function findMutator(name: string): MutatorConfig<z.ZodType> | undefined {
  if (!Object.hasOwn(MUTATORS, name)) return undefined;
  return new Map<string, unknown>(Object.entries(MUTATORS)).get(name) as MutatorConfig<z.ZodType>;
}

// Feed of changes in a workspace: the present state of every row that may have changed since a cursor.
import { z } from 'zod';
import type { Scope } from '../api-keys/scopes.ts';
import { memory } from '../memories/memory.ts';
import { spaceMemory } from '../spaces/space-memory.ts';
import { space } from '../spaces/space.ts';
import { thread } from '../threads/thread.ts';
import { memberHead } from '../workspaces/workspace-member.ts';

/** Kinds in the feed, and the scope that a key or token needs for each. */
export const CHANGE_SCOPES = {
  workspace_member: 'members:read',
  space: 'spaces:read',
  thread: 'threads:read',
  memory: 'memories:read',
  space_memory: 'spaces:read',
} as const satisfies Record<string, Scope>;

export type ChangeKind = keyof typeof CHANGE_SCOPES;

/** True for a kind that can be followed. */
export function isChangeKind(kind: string): kind is ChangeKind {
  return Object.hasOwn(CHANGE_SCOPES, kind);
}

const put = <K extends ChangeKind, R extends z.ZodType>(kind: K, row: R) =>
  z.object({
    action: z.literal('put'),
    kind: z.literal(kind),
    id: z.string(),
    isNew: z.boolean().optional(),
    row,
  });

/** One row as it is now, or the id of one that is deleted or no longer visible. */
const change = z.union([
  put('workspace_member', memberHead),
  put('space', space.row.omit({ deletedAt: true })),
  put('thread', thread.row.omit({ deletedAt: true })),
  put('memory', memory.row.omit({ urlKey: true, deletedAt: true })),
  put('space_memory', spaceMemory.row),
  z.object({
    action: z.literal('delete'),
    kind: z.enum(['workspace_member', 'space', 'thread', 'memory', 'space_memory']),
    id: z.string(),
  }),
]);
export type Change = z.infer<typeof change>;

/** Some changes and the cursor to continue from. */
export const changePage = z.object({
  changes: z.array(change),
  /** Goes into the next call. */
  cursor: z.string(),
  /** More changes exist; request them at once. */
  hasMore: z.boolean(),
});

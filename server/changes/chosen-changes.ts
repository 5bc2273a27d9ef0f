/**
 * Changes for keys and tokens that are limited to chosen spaces. The feed has audiences of people, not of keys: linking a
 * memory changes what such a key sees but not the memory, and a change of a memory elsewhere must not be listed.
 */
import { sql } from 'kysely';
import type { ChangeKind } from '#shared/changes/change.ts';
import type { Database } from '../db/database.ts';
import type { Member } from '../http/call.ts';

type ChosenView = ChangeView & { spaceIds: readonly string[] };

/** The candidates with the memories of chosen spaces that changed, and of links that changed in a chosen space. */
export async function addMemoriesOfSpaces(
  db: Database,
  { actor, spaceIds, since }: ChosenView,
  candidates: Candidates,
): Promise<Candidates> {
  const linked = linkedMemories(candidates, spaceIds);
  const departed = await departedMemories(db, actor.workspaceId, { spaceIds, since });
  const held = await memoriesIn(
    db,
    actor.workspaceId,
    spaceIds.filter((id) => candidates.get('space')?.has(id)),
  );
  const memories = new Set([...(candidates.get('memory') ?? []), ...linked, ...departed, ...held]);
  return new Map(candidates).set('memory', memories);
}

/** Deleting or restoring a space hides or shows its memories to the credential without a change of them or their links. */
async function memoriesIn(db: Database, workspaceId: string, spaceIds: readonly string[]): Promise<string[]> {
  if (spaceIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select "id" from "memory" where "workspaceId" = ${workspaceId} and "spaceId" = any(${spaceIds}::text[])
    union select "memoryId" from "space_memory"
    where "workspaceId" = ${workspaceId} and "spaceId" = any(${spaceIds}::text[])`.execute(db);
  return rows.map(({ id }) => id);
}

function linkedMemories(candidates: Candidates, spaceIds: readonly string[]): string[] {
  return [...(candidates.get('space_memory') ?? [])].flatMap((id) => {
    const [spaceId = '', memoryId = ''] = id.split('/');
    return spaceIds.includes(spaceId) ? [memoryId] : [];
  });
}

/** Memories whose home was a chosen space and is so no more; a client that begins has never had them. */
async function departedMemories(
  db: Database,
  workspaceId: string,
  { spaceIds, since }: Pick<ChosenView, 'spaceIds' | 'since'>,
): Promise<string[]> {
  if (since === 0) return [];
  const { rows } = await sql<{ memoryId: string }>`
    select "memoryId" from "memory_departure"
    where "workspaceId" = ${workspaceId} and "spaceId" = any(${spaceIds}::text[]) and "ver" > ${since}`.execute(
    db,
  );
  return rows.map(({ memoryId }) => memoryId);
}

/** Of rows that are no longer visible, those that the client may have received: changes of others must not be revealed. */
export async function mayHaveSeen(
  db: Database,
  { actor, spaceIds, since }: ChosenView,
  { kind, ids, given }: { kind: ChangeKind; ids: readonly string[]; given: Candidates },
): Promise<string[]> {
  if (kind === 'space') return ids.filter((id) => spaceIds.includes(id));
  if (kind === 'space_memory') return ids.filter((id) => spaceIds.includes(id.split('/')[0] ?? ''));
  if (kind !== 'memory' || ids.length === 0) return [];
  const { workspaceId } = actor;
  const { rows } = await sql<{ id: string }>`
    select m."id" from "memory" m
    where m."workspaceId" = ${workspaceId} and m."id" = any(${ids}::text[]) and (
      m."spaceId" = any(${spaceIds}::text[]) or exists (
        select 1 from "space_memory" link
        where link."workspaceId" = m."workspaceId" and link."memoryId" = m."id" and link."spaceId" = any(${spaceIds}::text[])))`.execute(
    db,
  );
  const departed = await departedMemories(db, workspaceId, { spaceIds, since });
  const seen = new Set([...rows.map(({ id }) => id), ...departed, ...linkedMemories(given, spaceIds)]);
  return ids.filter((id) => seen.has(id));
}

/** Ids of rows that may have changed, by kind. */
export type Candidates = Map<ChangeKind, Set<string>>;

export interface ChangeView {
  actor: Member;
  kinds: readonly ChangeKind[];
  /** The client has everything up to this version of the workspace. */
  since: number;
}

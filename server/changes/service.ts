/**
 * Changes of a workspace since a cursor, for clients that keep a copy. The feed says which rows may have changed, by
 * the same steps as the pull of a replica, so gaining and losing access to a row counts as a change; the rows are then
 * read as by REST, with the scopes and spaces of the credential. A row is sent in its current state, never an earlier
 * one, so a copy that follows to the end equals the lists.
 *
 * A link may arrive before its memory or space, and is not deleted with one of them: it counts while both exist.
 */
import { z } from 'zod';
import { SYNC } from '#shared/sync/limits.ts';
import { isLimitable } from '#shared/api-keys/scopes.ts';
import { CHANGE_SCOPES, isChangeKind, type Change, type ChangeKind } from '#shared/changes/change.ts';
import { AppError } from '#shared/errors.ts';
import { idOfKey, kindOfKey, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { syncState } from '#shared/sync/protocol.ts';
import type { Context } from '../context.ts';
import type { Member } from '../http/call.ts';
import { openCursor, sealCursor, type CursorOwner } from '../sync/change-cursor.ts';
import { progress } from '../sync/cookie.ts';
import { readHeldKeys, type Reached } from '../sync/feed-reads.ts';
import { reachedOf } from '../sync/pull-steps.ts';
import { currentCookie, pull, type PullAnswer } from '../sync/pull.ts';
import { cookieSecret } from '../sync/secret.ts';
import { readRows } from './rows.ts';
import { type Candidates, type ChangeView, addMemoriesOfSpaces, mayHaveSeen } from './chosen-changes.ts';

export interface ChangePage {
  changes: Change[];
  cursor: string;
  hasMore: boolean;
}

const operation = z.object({
  op: z.enum(['put', 'del', 'clear']),
  key: z.string().optional(),
  value: z.unknown().optional(),
});

/** The cursor of this moment: later changes follow it, earlier ones do not. */
export async function presentCursor(context: Context, actor: Member): Promise<string> {
  const secret = await cookieSecret(context.db);
  const owner = ownerOf(actor);
  return sealCursor(secret, owner, await currentCookie(context.pullDb, owner, secret));
}

function ownerOf(actor: Member): CursorOwner {
  return {
    userId: actor.userId,
    realmId: actor.workspaceId,
    view: JSON.stringify([kindsOf(actor), actor.spaceIds]),
  };
}

interface ChangeOptions {
  cursor?: string | undefined;
  limit: number;
}

/** Lists changes. @throws bad_request for a cursor of another caller, gone for one that is too old */
export async function listChanges(
  context: Context,
  actor: Member,
  { cursor, limit }: ChangeOptions,
): Promise<ChangePage> {
  const kinds = kindsOf(actor);
  const secret = await cookieSecret(context.db);
  const owner = ownerOf(actor);
  const cookie = cursor === undefined ? null : openCursor(secret, owner, cursor);
  if (cookie === undefined) {
    throw new AppError(
      'bad_request',
      'cursor: it was not made for this workspace and this key or session; begin again without a cursor',
    );
  }
  const answer = await pull(
    context.pullDb,
    { ...owner, clientGroupId: `changes-${actor.userId}`, cookie },
    {
      secret,
      onDrift: (what) =>
        context.log.error({ realmId: actor.workspaceId, what }, 'the feed names a row that is gone'),
      limits: { ...SYNC, firstPageRows: limit, pageRows: limit, deltaLimit: limit },
    },
  );
  if ('error' in answer) throw new AppError('unavailable', 'Try again', { retryAfter: 1 });
  const { candidates, keys, hasMore } = readPatch(answer);
  const reached = positionsIn(cookie);
  const versions = [...reached.values()].map(({ version }) => version);
  const view = { actor, kinds, since: versions.length === 0 ? 0 : Math.min(...versions) };
  const changes = await presentState(context, view, candidates);
  // What a limited key or token saw is not known to the feed.
  if (actor.spaceIds === null) {
    const held = new Set(await readHeldKeys(context.db, actor.workspaceId, reached, [...keys.values()]));
    for (const change of changes) {
      const key = keys.get(`${change.kind} ${change.id}`);
      if (change.action === 'put') change.isNew = key !== undefined && !held.has(key);
    }
  }
  return { changes, cursor: sealCursor(secret, owner, answer.cookie), hasMore };
}

/** The kinds that the credential may read; kinds outside of spaces are left out for credentials of chosen spaces. */
function kindsOf({ credential, spaceIds }: Member): ChangeKind[] {
  const kinds = Object.keys(CHANGE_SCOPES).filter(isChangeKind);
  if (credential.kind === 'session') return kinds;
  return kinds.filter((kind) => {
    const scope = CHANGE_SCOPES[kind];
    return credential.scopes.includes(scope) && (spaceIds === null || isLimitable(scope));
  });
}

function readPatch({ patch }: PullAnswer) {
  const candidates: Candidates = new Map();
  const keys = new Map<string, string>();
  let hasMore = false;
  for (const text of patch) {
    const { op, key = '', value } = operation.parse(JSON.parse(text));
    if (op === 'clear') {
      throw new AppError(
        'gone',
        'cursor: it is too old or from before a restore; begin again without a cursor',
      );
    }
    if (key === SYNC_STATE_KEY) hasMore = !syncState.parse(value).done;
    const kind = kindOfKey(key);
    if (kind === undefined || !isChangeKind(kind)) continue;
    const id = idOfKey(kind, key);
    const ids = candidates.get(kind) ?? new Set();
    candidates.set(kind, ids.add(id));
    if (op === 'put') keys.set(`${kind} ${id}`, key);
  }
  return { candidates, keys, hasMore };
}

/** How far the client is in each audience: nowhere at the beginning. */
function positionsIn(cookie: unknown): ReadonlyMap<string, Reached> {
  const { data } = z.object({ a: z.record(z.string(), progress) }).safeParse(cookie);
  return new Map(
    Object.entries(data?.a ?? {}).map(([audience, position]) => [audience, reachedOf(position)]),
  );
}

async function presentState(context: Context, view: ChangeView, given: Candidates): Promise<Change[]> {
  const { actor, kinds } = view;
  const { spaceIds } = actor;
  const candidates =
    spaceIds === null ? given : await addMemoriesOfSpaces(context.db, { ...view, spaceIds }, given);
  const changes: Change[] = [];
  const gone: Change[] = [];
  for (const kind of kinds) {
    const ids = [...(candidates.get(kind) ?? [])];
    const rows = await readRows(context, actor, kind, ids);
    changes.push(...rows);
    const found = new Set(rows.map(({ id }) => id));
    const missing = ids.filter((id) => !found.has(id));
    const told =
      spaceIds === null
        ? missing
        : await mayHaveSeen(context.db, { ...view, spaceIds }, { kind, ids: missing, given });
    gone.push(...told.map((id) => ({ action: 'delete' as const, kind, id })));
  }
  return [...gone, ...changes];
}

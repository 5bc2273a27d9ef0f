/**
 * Mutations in the audit log: those that share or delete something, and everything that staff change while they act as another
 * person. It wraps the effects of the features, which do not depend on it.
 */
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import { isId, type Id } from '#shared/ids.ts';
import { MUTATORS, type MutatorName } from '#shared/mutators.ts';
import type { Grant } from '#shared/spaces/grant.ts';
import type { Effect, EffectCall, Effects } from '../db/effect.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { emit } from '../events/emit.ts';

type Actor = { userId: Id<'user'>; workspaceId: Id<'workspace'> };
type Call<N extends MutatorName> = Parameters<NonNullable<NonNullable<Effects[N]>['before']>>[0];

/** Emits the event of a mutation before it runs, from the rows as they are; nothing if it changes nothing of note. */
type Announce<N extends MutatorName> = (call: Call<N>, actor: Actor) => Promise<void>;

function onUpdate<N extends 'space.update' | 'thread.update'>(kind: 'space' | 'thread'): Announce<N> {
  return async ({ tx, args }, actor) => {
    const row = await tx.get(kind, args.id);
    if (row === undefined || args.visibility === undefined || args.visibility === row.visibility) return;
    const target = { id: row.id, name: args.name ?? row.name };
    await emit(tx, `${kind}.visibility`, { actor, target, from: row.visibility, to: args.visibility });
  };
}

function onRemoval<N extends 'space.remove' | 'thread.remove'>(kind: 'space' | 'thread'): Announce<N> {
  return async ({ tx, args }, actor) => {
    const row = await tx.get(kind, args.id);
    if (row?.deletedAt === null) await emit(tx, `${kind}.removed`, { actor, target: row });
  };
}

/** The stored grant with this holder, or the oldest that this account has. */
async function findGrant(
  { trx, realmId }: ServerTx,
  { resourceId, ...by }: { resourceId: string } & ({ holder: string } | { userId: string }),
): Promise<Grant | undefined> {
  const [column, value] = 'holder' in by ? ['holder', by.holder] : ['userId', by.userId];
  const { rows } = await sql<Grant>`
    select * from "grant"
    where "workspaceId" = ${realmId} and "resourceId" = ${resourceId} and ${sql.ref(column)} = ${value}
    order by "created", "holder" limit 1`.execute(trx);
  return rows[0];
}

const ANNOUNCED: { [N in MutatorName]?: Announce<N> } = {
  'space.create': async ({ tx, args }, actor) => {
    const { visibility } = args;
    if (visibility !== 'workspace' && visibility !== 'private')
      await emit(tx, 'space.visibility', { actor, target: args, from: null, to: visibility });
  },
  'thread.create': async ({ tx, args }, actor) => {
    if (args.visibility !== 'private')
      await emit(tx, 'thread.visibility', { actor, target: args, from: null, to: args.visibility });
  },
  'space.update': onUpdate('space'),
  'thread.update': onUpdate('thread'),
  'space.remove': onRemoval('space'),
  'thread.remove': onRemoval('thread'),
  'grant.put': async ({ tx, args }, actor) => {
    const found = await findGrant(tx, args);
    if (!found) return emit(tx, 'grant.created', { actor, target: { ...args, ...actor }, level: args.level });
    if (found.level !== args.level)
      await emit(tx, 'grant.changed', { actor, target: found, from: found.level, to: args.level });
  },
  'grant.remove': async ({ tx, args }, actor) => {
    const found = await findGrant(tx, args);
    if (found) await emit(tx, 'grant.removed', { actor, target: found, level: found.level });
  },
  'grant.leave': async ({ tx, args }, actor) => {
    const found = await findGrant(tx, { ...args, userId: actor.userId });
    if (found) await emit(tx, 'grant.left', { actor, target: found, level: found.level });
  },
  'memory.remove': async ({ tx, args }, actor) => {
    const row = await tx.get('memory', args.id);
    if (row?.deletedAt === null)
      await emit(tx, 'memory.removed', { actor, target: { id: row.id, name: row.title } });
  },
};

/** Mutations that staff may not make as another person: they only mark what that person has seen. */
const NEVER_IMPERSONATED: ReadonlySet<string> = new Set(['notification.update', 'notification.remove']);

/** The effects with the audit log around them. The entry of a mutation that is refused afterwards is removed. */
export function withAudit(effects: Effects): Effects {
  const known = new Map<string, Effect<unknown>>(Object.entries(effects));
  const announced = new Map<string, (call: never, actor: Actor) => Promise<void>>(Object.entries(ANNOUNCED));
  const audited = Object.keys(MUTATORS).map((name) => {
    const effect = known.get(name);
    const announce = announced.get(name) as Announce<MutatorName> | undefined;
    return [
      name,
      {
        ...effect,
        async before(call: EffectCall<never>) {
          await record(name, call, announce);
          return effect?.before?.(call);
        },
      },
    ] as const;
  });
  // The names are those of the mutators, and each entry has the arguments of its mutator.
  return Object.fromEntries(audited) as Effects;
}

async function record(
  name: string,
  call: EffectCall<never>,
  announce: Announce<MutatorName> | undefined,
): Promise<void> {
  const { tx, context } = call;
  const isImpersonated = (tx.origin?.impersonator ?? null) !== null;
  if (isImpersonated && NEVER_IMPERSONATED.has(name))
    throw new AppError('forbidden', 'Notifications cannot be changed while impersonating');
  if (!isId('workspace', tx.realmId)) return;
  const actor = { userId: context.actor.userId, workspaceId: tx.realmId };
  await announce?.(call, actor);
  if (isImpersonated) await emit(tx, 'impersonation.edit', { actor, mutation: name });
}

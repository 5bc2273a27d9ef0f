/**
 * Mutations in the audit log: those that share or delete something, and everything that staff change while they act as another
 * person. It wraps the effects of the features, which do not depend on it.
 */
import type { AuditAction } from '#shared/audit/audit-event.ts';
import { AppError } from '#shared/errors.ts';
import { isId } from '#shared/ids.ts';
import { MUTATORS, type MutatorName } from '#shared/mutators.ts';
import type { Effect, EffectCall, Effects } from '../db/effect.ts';
import { grantDescription, grantedOn, grantsHeldOn } from './grant-events.ts';
import { recordAudit, type AuditEntry } from './service.ts';

type Description = Pick<AuditEntry, 'target' | 'details'> & { action: AuditAction };
type Call<N extends MutatorName> = Parameters<NonNullable<NonNullable<Effects[N]>['before']>>[0];

/** Describes a mutation before it runs, from the row as it is; undefined when there is nothing to record. */
type Describe<N extends MutatorName> = (call: Call<N>) => Promise<Description | undefined>;

function ofVisibility<N extends 'space.update' | 'thread.update'>(kind: 'space' | 'thread'): Describe<N> {
  return async ({ tx, args }) => {
    const row = await tx.get(kind, args.id);
    if (row === undefined || args.visibility === undefined || args.visibility === row.visibility)
      return undefined;
    return {
      action: `${kind}.visibility`,
      target: { kind, id: row.id, name: args.name ?? row.name },
      details: { from: row.visibility, to: args.visibility },
    };
  };
}

function ofRemoval<N extends 'space.remove' | 'thread.remove'>(kind: 'space' | 'thread'): Describe<N> {
  return async ({ tx, args }) => {
    const row = await tx.get(kind, args.id);
    if (row === undefined || row.deletedAt !== null) return undefined;
    return { action: `${kind}.removed`, target: { kind, id: row.id, name: row.name } };
  };
}

const DESCRIBED: { [N in MutatorName]?: Describe<N> } = {
  'space.create': async ({ args }) =>
    args.visibility === 'workspace' || args.visibility === 'private'
      ? undefined
      : {
          action: 'space.visibility',
          target: { kind: 'space', id: args.id, name: args.name },
          details: { from: null, to: args.visibility },
        },
  'thread.create': async ({ args }) =>
    args.visibility === 'private'
      ? undefined
      : {
          action: 'thread.visibility',
          target: { kind: 'thread', id: args.id, name: args.name },
          details: { from: null, to: args.visibility },
        },
  'space.update': ofVisibility('space'),
  'thread.update': ofVisibility('thread'),
  'space.remove': ofRemoval('space'),
  'thread.remove': ofRemoval('thread'),
  'grant.put': async ({ tx, args }) => {
    const found = await grantedOn(tx, args);
    if (found?.level === args.level) return undefined;
    return found
      ? {
          action: 'grant.changed',
          ...(await grantDescription(tx, found, { from: found.level, to: args.level })),
        }
      : { action: 'grant.created', ...(await grantDescription(tx, args, { level: args.level })) };
  },
  'grant.remove': async ({ tx, args }) => {
    const found = await grantedOn(tx, args);
    return (
      found && {
        action: 'grant.removed',
        ...(await grantDescription(tx, found, { level: found.level })),
      }
    );
  },
  'grant.leave': async ({ tx, args, context }) => {
    const [found] = await grantsHeldOn(tx, { resourceId: args.resourceId, userId: context.actor.userId });
    return (
      found && {
        action: 'grant.left',
        ...(await grantDescription(tx, found, { level: found.level })),
      }
    );
  },
  'memory.remove': async ({ tx, args }) => {
    const row = await tx.get('memory', args.id);
    if (row === undefined || row.deletedAt !== null) return undefined;
    return { action: 'memory.removed', target: { kind: 'memory', id: row.id, name: row.title } };
  },
};

/** Mutations that staff may not make as another person: they only mark what that person has seen. */
const NEVER_IMPERSONATED: ReadonlySet<string> = new Set(['notification.update', 'notification.remove']);

/** The effects with the audit log around them. The entry of a mutation that is refused afterwards is removed. */
export function withAudit(effects: Effects): Effects {
  const known = new Map<string, Effect<unknown>>(Object.entries(effects));
  const describers = new Map<string, (call: never) => Promise<Description | undefined>>(
    Object.entries(DESCRIBED),
  );
  const audited = Object.keys(MUTATORS).map((name) => {
    const effect = known.get(name);
    const describe = describers.get(name) as Describe<MutatorName> | undefined;
    return [
      name,
      {
        ...effect,
        async before(call: EffectCall<never>) {
          await record(name, call, describe);
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
  describe: Describe<MutatorName> | undefined,
): Promise<void> {
  const { tx, context } = call;
  const isImpersonated = (tx.origin?.impersonator ?? null) !== null;
  if (isImpersonated && NEVER_IMPERSONATED.has(name))
    throw new AppError('forbidden', 'Notifications cannot be changed while impersonating');
  if (!isId('workspace', tx.realmId)) return;
  const actorId = context.actor.userId;
  const described = await describe?.(call);
  if (described) await recordAudit(tx, tx.realmId, { ...described, actorId });
  if (isImpersonated)
    await recordAudit(tx, tx.realmId, {
      action: 'impersonation.edit',
      actorId,
      details: { mutation: name },
    });
}

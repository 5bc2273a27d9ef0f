/**
 * Writing over REST: one transaction in a realm, in which a handler runs shared mutators by name, exactly as replicas
 * do by push. The response carries the version that replicas have to reach to show the change.
 */
import type { Id } from '#shared/ids.ts';
import type { MutatorArgs, MutatorName } from '#shared/mutators.ts';
import type { Actor } from '#shared/permissions.ts';
import type { Context } from '../context.ts';
import { actorIn, applyMutation } from '../db/run-mutation.ts';
import type { ServerTx } from '../db/server-tx.ts';
import type { RealmReader } from '../sync/readable.ts';
import { writeInRealm, type Written } from '../db/transaction.ts';
import type { Reply } from './call.ts';

export interface Writing {
  tx: ServerTx;
  /** Time of the write, for mutators with a client time. */
  at: string;
  /** Runs a shared mutator with its effects. @throws AppError */
  apply<N extends MutatorName>(name: N, args: MutatorArgs<N>): Promise<unknown>;
  /** The person with the position of this moment, for rules that no mutator has. */
  actor(): Promise<Actor>;
}

/** Writes in a realm as a person; rolled back when `write` throws. */
export function writeAs<T>(
  context: Context,
  { realmId, userId, spaceIds }: RealmReader & { userId: Id<'user'> },
  write: (writing: Writing) => Promise<T>,
): Promise<Written<T>> {
  return writeInRealm(context, realmId, { userId, spaceIds }, (tx) =>
    write({
      tx,
      at: tx.now.toISOString(),
      apply: async (name, args) => {
        const { result, refused } = await applyMutation(context.effects, tx, userId, { name, args });
        // A call has one answer, so it is done whole or not at all.
        if (refused !== undefined) throw refused.error;
        return result;
      },
      actor: () => actorIn(tx, userId),
    }),
  );
}

/** The response to a write, with the version it reached. */
export function written<T>({ version, value }: Written<T>): Reply<T> {
  return {
    result: value,
    meta: { syncVersion: version },
    headers: { 'x-sync-version': String(version) },
  };
}

// A mutation that a crash interrupted and that is made again by another client of the same person. It has the id of the first
// attempt, so that the server, which may have processed that one, does not apply it twice.
import { z } from 'zod';
import { SYNC } from '#shared/sync/limits.ts';
import { mutationRef } from '#shared/sync/protocol.ts';
import type { JournalRecord } from '#client/replica/worker/journal-records.ts';

/** Name of the replay mutator in Replicache; it is never sent to the server. */
export const REPLAY = 'sync.replay';

const replay = z.object({
  of: z.array(mutationRef).min(1).max(SYNC.replayMaxRefs),
  name: z.string(),
  args: z.unknown(),
});
type Replay = z.output<typeof replay>;

/** The arguments that make the recorded mutation again. */
export function replayOf({ clientID, id, name, args, of = [] }: JournalRecord): Replay {
  return { of: [...of, { clientID, id }].slice(-SYNC.replayMaxRefs), name, args };
}

/** @throws a ZodError for arguments that no replay has */
export function parseReplay(args: unknown): Replay {
  return replay.parse(args);
}

/** The mutation in the server's format: under its own name, with the references to earlier attempts beside it. */
export function unwrapReplay<M extends { name: string; args: unknown }>(
  mutation: M,
): M & { replayOf?: Replay['of'] } {
  const found = mutation.name === REPLAY ? replay.safeParse(mutation.args).data : undefined;
  if (!found) return mutation;
  return { ...mutation, name: found.name, args: found.args, replayOf: found.of };
}

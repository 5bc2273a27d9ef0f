// Messages between replica and server beside the rows: push and pull requests (Replicache wire version 1), control rows,
// results of rejected mutations and pokes.
import { z } from 'zod';
import { DAY_MS } from '../constants.ts';
import { SYNC } from './limits.ts';

const clientId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w-]+$/);

/**
 * Statistics of a replica for the operator. They are optional, and an impossible value counts as missing: a bad figure
 * must not stop sync.
 */
const optionalCount = (max: number) => z.number().int().min(0).max(max).optional().catch(undefined);

export const pullRequest = z.object({
  pullVersion: z.literal(1),
  schemaVersion: z.string().max(16),
  profileID: z.string().max(64),
  clientGroupID: clientId,
  cookie: z.unknown(),
  /** Age of the oldest change that the server has not confirmed, in milliseconds. */
  pendingMs: optionalCount(400 * DAY_MS),
});
export type PullRequest = z.infer<typeof pullRequest>;

/** A mutation by the name that its replica gave it. */
export const mutationRef = z.object({ clientID: clientId, id: z.number().int().min(1) });

const pushedMutation = z.object({
  clientID: clientId,
  id: z.number().int().min(1),
  name: z.string().max(64),
  args: z.unknown(),
  timestamp: z.number(),
  /** It repeats these after a crash: when the server has processed one of them, this one is done. */
  replayOf: z.array(mutationRef).max(SYNC.replayMaxRefs).optional(),
});
export type PushedMutation = z.infer<typeof pushedMutation>;

export const pushRequest = z.object({
  pushVersion: z.literal(1),
  schemaVersion: z.string().max(16),
  profileID: z.string().max(64),
  clientGroupID: clientId,
  mutations: z.array(pushedMutation).max(SYNC.pushMaxMutations),
});

/** Digest of a complete replica at a version. */
export const checkRequest = z.object({
  v: z.number().int().min(0),
  count: z.number().int().min(0),
  sum: z.string().regex(/^[0-9a-f]{16}$/),
  /** Bytes that the browser stores for the site, if it reports them. */
  storageBytes: optionalCount(2 ** 50),
});
export type CheckRequest = z.infer<typeof checkRequest>;

/** unknown: the realm has changed since, or is closed to the user. */
export const checkAnswer = z.object({ state: z.enum(['same', 'different', 'unknown']) });
export type CheckState = z.infer<typeof checkAnswer>['state'];

/** Client → the last of its mutations that the server has processed. */
export const lastMutationIds = z.record(z.string(), z.number());

/** Responses that make the replica reload or update the app. */
export type SyncRefusal =
  /** The server's last mutation of each known client of the group: it does not have later ones. */
  | { error: 'ClientStateNotFound'; lastMutationIDs?: z.infer<typeof lastMutationIds> }
  | { error: 'VersionNotSupported'; versionType?: 'push' | 'pull' | 'schema' };

export type PatchOperation =
  | { op: 'put'; key: string; value: unknown }
  | { op: 'del'; key: string }
  | { op: 'clear' };

export interface PullResponse {
  cookie: unknown;
  lastMutationIDChanges: Record<string, number>;
  patch: PatchOperation[];
}

/** Value under SYNC_STATE_KEY. `loaded` and `total` count feed entries, for the progress bar. */
export const syncState = z.object({
  v: z.number(),
  done: z.boolean(),
  loaded: z.number(),
  total: z.number(),
});
export type SyncState = z.infer<typeof syncState>;

/** Value under RESULT_PREFIX: why the server refused a mutation, with its name and arguments. */
export const mutationResult = z.object({
  clientID: z.string(),
  mutationID: z.number(),
  /**
   * The workspace of the mutation, when the result is in the account realm because its author lost access to that
   * workspace.
   */
  workspaceId: z.string().nullable().optional(),
  name: z.string(),
  args: z.unknown(),
  code: z.string(),
  message: z.string(),
  created: z.string(),
});
export type MutationResult = z.infer<typeof mutationResult>;

/** How far a realm is: its version, within an epoch that a restored database replaces. */
export const realmPosition = z.object({ v: z.number(), e: z.string() });
export type RealmPosition = z.infer<typeof realmPosition>;

/**
 * The first event of the poke stream, by realm: how far those are that it follows, read once it does. A server of an
 * earlier version sends none.
 */
export const streamStart = z.object({ realms: z.record(z.string(), realmPosition) });
export type StreamStart = z.infer<typeof streamStart>;

/** Every other event of the poke stream: the realm has reached version v. */
export const poke = z.object({ realm: z.string(), v: z.number() });
export type Poke = z.infer<typeof poke>;

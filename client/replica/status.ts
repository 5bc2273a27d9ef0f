// Derives the state of the sync indicator from the facts that the worker reports. Pure: no clock and no browser, so
// every state of the indicator is covered by unit tests.
import type { MutationResult } from '#shared/sync/protocol.ts';
import type { WaitingFile } from '#client/replica/waiting-files.ts';

export interface PendingChange {
  id: string;
  name: string;
  /** Id of the row it is about, for a title in the list. */
  subject: string | undefined;
  /** Rows that a change of many is about; undefined for a change of one. */
  count: number | undefined;
  realmId: string;
}

/** A change that could not be applied, with everything needed to retry or export it. */
export interface Problem {
  /** `<clientID>/<mutationID>` of a refusal, own names for failures of this device. */
  id: string;
  /** Where the change was to be made. */
  realmId: string;
  /** Whose rows name the refusal: of that realm, or the account when the person may not read it any more. */
  inbox?: string;
  name: string;
  args: unknown;
  code: string;
  message: string;
  at: string;
  /** refused = by the server; lost = on this device only, because it can no longer be sent automatically. */
  source: 'refused' | 'lost';
}

/**
 * ok; memory = nothing is stored on this device; full = out of space; lost = the database was deleted under the page.
 */
export type StorageState = 'ok' | 'memory' | 'full' | 'lost';

/** Outcome of a comparison that found a difference: the replica is reloading, is equal again, or still differs. */
export interface Drift {
  state: 'healing' | 'healed' | 'differs';
  at: number;
}

/** The worker's facts about one realm, apart from its rows. */
export interface RealmFacts {
  /** The rows that were on the device have all reached the page. */
  loaded: boolean;
  online: boolean;
  /** The first of the changes that wait; there may be more. */
  pending: readonly PendingChange[];
  pendingCount: number;
  /** `pending` includes changes that earlier pages of this device left unsent. */
  counted: boolean;
  /** Changes of this page that are not on the device yet; a crash of this moment would lose them. */
  unsaved: number;
  pushing: boolean;
  pulling: boolean;
  /** Time of the last successful pull. */
  pulledAt: number | undefined;
  /** Undefined while the device was never found to differ from the server. */
  drift: Drift | undefined;
  unauthorized: boolean;
  updateNeeded: boolean;
  storage: StorageState;
}

export const INITIAL_FACTS: RealmFacts = {
  loaded: false,
  online: true,
  pending: [],
  pendingCount: 0,
  counted: false,
  unsaved: 0,
  pushing: false,
  pulling: false,
  pulledAt: undefined,
  drift: undefined,
  unauthorized: false,
  updateNeeded: false,
  storage: 'ok',
};

/** Long texts follow the rows: how many of those that this device is to hold are here. */
export interface TextProgress {
  here: number;
  total: number;
  /** There is no room for the others. */
  isFull: boolean;
}

export const NO_TEXTS: TextProgress = { here: 0, total: 0, isFull: false };

/** sign-in = the session ended; update = this app is too old for the server; the others as they read. */
export type SyncStateName =
  | 'sign-in'
  | 'update'
  | 'attention'
  | 'offline'
  | 'saved-here'
  | 'syncing'
  | 'synced';

export interface SyncStatus {
  state: SyncStateName;
  /** Changes waiting, or problems when the state is `attention`. */
  count: number;
  /** Changes that the server has not confirmed, whatever the state. */
  waiting: number;
  pending: readonly PendingChange[];
  problems: readonly Problem[];
  lastSyncedAt: number | undefined;
  /** The worst of the realms; undefined while none was found to differ from the server. */
  drift: Drift | undefined;
  /** Undefined while they are not counted. */
  texts: TextProgress | undefined;
  storage: StorageState;
  /** False when the browser may evict this device's data under storage pressure; undefined while unknown. */
  persistent: boolean | undefined;
}

/** A refused mutation as a line of the needs-attention list; `inbox` is the realm whose rows name it. */
export function refusal(inbox: string, result: MutationResult): Problem {
  return {
    id: `${result.clientID}/${result.mutationID}`,
    realmId: result.workspaceId ?? inbox,
    inbox,
    name: result.name,
    args: result.args,
    code: result.code,
    message: result.message,
    at: result.created,
    source: 'refused',
  };
}

const STORAGE_ORDER: readonly StorageState[] = ['lost', 'full', 'memory', 'ok'];
const DRIFT_ORDER: readonly Drift['state'][] = ['differs', 'healing', 'healed'];

function newest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function worstDrift(facts: readonly RealmFacts[]): Drift | undefined {
  const drifts = facts.flatMap(({ drift }) => drift ?? []);
  const rank = ({ state }: Drift) => DRIFT_ORDER.indexOf(state);
  return drifts.sort((one, other) => rank(one) - rank(other) || other.at - one.at)[0];
}

function nameState(facts: readonly RealmFacts[], problems: readonly Problem[]): SyncStateName {
  if (facts.some((realm) => realm.unauthorized)) return 'sign-in';
  if (facts.some((realm) => realm.updateNeeded)) return 'update';
  if (problems.length > 0) return 'attention';
  if (facts.some((realm) => !realm.online)) return 'offline';
  const waiting = facts.filter((realm) => realm.pendingCount > 0);
  if (waiting.length === 0) {
    return facts.every((realm) => realm.counted && realm.pulledAt !== undefined) ? 'synced' : 'syncing';
  }
  const isSaved = (realm: RealmFacts) => !realm.pushing && realm.storage === 'ok' && realm.unsaved === 0;
  return waiting.every(isSaved) ? 'saved-here' : 'syncing';
}

/** Puts the realms' facts into one status; the most urgent word wins. */
export function deriveStatus(
  facts: readonly RealmFacts[],
  problems: readonly Problem[],
): Omit<SyncStatus, 'persistent' | 'texts'> {
  const state = nameState(facts, problems);
  const waiting = facts.reduce((sum, realm) => sum + realm.pendingCount, 0);
  return {
    state,
    count: state === 'attention' ? problems.length : waiting,
    waiting,
    pending: facts.flatMap((realm) => realm.pending),
    problems,
    lastSyncedAt: newest(facts.map((realm) => realm.pulledAt)),
    drift: worstDrift(facts),
    storage: STORAGE_ORDER.find((storage) => facts.some((realm) => realm.storage === storage)) ?? 'ok',
  };
}

type FileState = Pick<WaitingFile, 'state' | 'isStored'>;

function stateWithFiles(state: SyncStateName, files: readonly FileState[]): SyncStateName {
  if (state === 'sign-in' || state === 'update' || state === 'attention') return state;
  if (files.some((file) => file.state === 'refused')) return 'attention';
  if (state === 'offline' || state === 'syncing') return state;
  return files.every((file) => file.isStored && file.state === 'waiting') ? 'saved-here' : 'syncing';
}

/** The status with the files that the server does not have yet. */
export function withFiles<S extends Pick<SyncStatus, 'state' | 'count' | 'waiting'>>(
  status: S,
  files: readonly FileState[],
): S {
  if (files.length === 0) return status;
  const state = stateWithFiles(status.state, files);
  const refused = files.filter((file) => file.state === 'refused').length;
  const count =
    state === 'attention'
      ? (status.state === 'attention' ? status.count : 0) + refused
      : status.count + files.length;
  return { ...status, state, count, waiting: status.waiting + files.length };
}

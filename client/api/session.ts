// Who is signed in on this page: the token in its cookie, the person as the server last described them, and what a 401
// does to both. The device's copy is trusted for OFFLINE_TRUST_DAYS, so that the app opens without network.
import { useSyncExternalStore } from 'react';
import type { User } from '#shared/accounts/user.ts';
import { LOGOUT_REDIRECT_DELAY_MS } from '#client/ui/timing.ts';
import { SESSION } from '#shared/accounts/limits.ts';
import { COOKIES, DAY_MS } from '#shared/constants.ts';
import { OFFLINE_TRUST_DAYS } from '#shared/sync/limits.ts';
import { AppError, LOOKUP_ERRORS } from '#shared/errors.ts';
import { isId, type Id } from '#shared/ids.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { isObject } from '#shared/is-object.ts';
import { dropCookie, readCookie, writeCookie } from '#client/api/cookies.ts';
import { createStore } from '#client/shell/external-store.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';
import { hashToReturnTo, keepMailedToken } from '#client/shell/mailed-link.ts';
import { removeSnapshots } from '#client/start/snapshot-store.ts';

/** A workspace of the signed-in person, enough to open it. */
export interface Membership extends Pick<Workspace, 'id' | 'slug' | 'name'> {
  /** The person has access by a share only and is not a member. */
  isGuest?: boolean;
}

export interface Person {
  user: User;
  workspaces: readonly Membership[];
  checkedAt: number;
}

// Both come from the server, which checked them, or from this device, which wrote them: only the fields that guards and frames
// use are checked. Schemas would have to be loaded before the first page.

function isUser(value: unknown): value is User {
  return (
    isObject(value) &&
    isId('user', value['id']) &&
    typeof value['email'] === 'string' &&
    typeof value['emailVerified'] === 'boolean' &&
    (['forename', 'surname', 'username'] as const).every(
      (name) => value[name] === null || typeof value[name] === 'string',
    )
  );
}

function isMembership(value: unknown): value is Membership {
  return (
    isObject(value) &&
    isId('workspace', value['id']) &&
    typeof value['slug'] === 'string' &&
    typeof value['name'] === 'string'
  );
}

function areMemberships(value: unknown): value is Membership[] {
  return Array.isArray(value) && value.every(isMembership);
}

function isPerson(value: unknown): value is Person {
  return (
    isObject(value) &&
    isUser(value['user']) &&
    areMemberships(value['workspaces']) &&
    typeof value['checkedAt'] === 'number'
  );
}

/** Where the person is remembered on this device; removed by every way out. */
export const PERSON_SETTING = 'loci-person';

/** A session that impersonates another person; it lives in the memory of this page only. */
export interface Impersonation {
  token: string;
  person: Person;
}

const impersonation = createStore<Impersonation | undefined>(undefined);
const ownPerson = createStore<Person | undefined>(undefined);
/** Called with the person who is signed in on this device instead, if there is one. */
type EndListener = (next: Person | undefined) => void;
const endListeners = new Set<EndListener>();
let isEnding = false;

/** The bearer token of this page's calls. */
export function sessionToken(): string | undefined {
  return impersonation.get()?.token ?? readCookie(COOKIES.session);
}

/** The person may be unknown although a token exists: then `loadPerson` must request the person. */
export function currentPerson(): Person | undefined {
  const acting = impersonation.get();
  if (acting) return acting.person;
  if (readCookie(COOKIES.session) === undefined) return undefined;
  const known = ownPerson.get() ?? readCachedPerson();
  if (known) ownPerson.set(known);
  return known;
}

function readCachedPerson(): Person | undefined {
  const text = readSetting(PERSON_SETTING);
  if (text === undefined) return undefined;
  try {
    const cached: unknown = JSON.parse(text);
    return isPerson(cached) && Date.now() - cached.checkedAt < OFFLINE_TRUST_DAYS * DAY_MS
      ? cached
      : undefined;
  } catch (error) {
    console.info('session: the remembered person could not be read', error);
    return undefined;
  }
}

function setPerson(person: Person): void {
  ownPerson.set(person);
  writeSetting(PERSON_SETTING, JSON.stringify(person));
}

function subscribe(listener: () => void): () => void {
  const ends = [impersonation.subscribe(listener), ownPerson.subscribe(listener)];
  return () => ends.forEach((end) => end());
}

/** Follows who is signed in. */
export function usePerson(): Person | undefined {
  return useSyncExternalStore(subscribe, currentPerson, () => undefined);
}

/** Follows whether this page impersonates another person. */
export function useImpersonated(): boolean {
  return useSyncExternalStore(subscribe, isImpersonating, () => false);
}

/** True while this page impersonates another person, when nothing may be written to the device. */
export function isImpersonating(): boolean {
  return impersonation.get() !== undefined;
}

/** Starts the session that a log-in or sign-up returned. */
export function signIn({ token, user: signedIn }: { token: string; user: User }): void {
  isEnding = false;
  writeCookie(COOKIES.session, token, SESSION.absoluteDays);
  const known = readCachedPerson();
  const workspaces = known?.user.id === signedIn.id ? known.workspaces : [];
  setPerson({ user: signedIn, workspaces, checkedAt: Date.now() });
}

/** Impersonates another person until `endImpersonation`; the own session stays aside. */
export function beginImpersonation(acting: Impersonation): void {
  impersonation.set(acting);
}

export function endImpersonation(): void {
  impersonation.set(undefined);
}

/**
 * Before a page ends its own session and is left: calls and streams of that session that are refused meanwhile must not
 * end it a second time: the page would be left before the device is emptied, and after an impersonation this browser has
 * another session. Call the result when the page stays after all.
 */
export function beginLeaving(): () => void {
  isEnding = true;
  return () => {
    isEnding = false;
  };
}

async function getResult<T>(
  path: string,
  isWanted: (result: unknown) => result is T,
  failure: string,
): Promise<T> {
  const token = sessionToken();
  const response = await fetch(path, {
    headers: { accept: 'application/json', authorization: `Bearer ${token ?? ''}` },
    credentials: 'omit',
    cache: 'no-store',
  });
  if (response.status === 401) {
    endSession(token);
    throw new AppError('unauthorized', failure);
  }
  const body: unknown = response.ok ? await response.json() : undefined;
  const result = isObject(body) ? body['result'] : undefined;
  if (!isWanted(result)) throw new AppError('internal', failure);
  return result;
}

/** Milliseconds for which a fetched session is reused without a request. */
const FRESH_MS = 3_000;

/** Whether this page has just fetched the person. A reload fetches again, so that it shows changes. */
export function wasJustChecked({ checkedAt }: Person): boolean {
  return checkedAt >= performance.timeOrigin && Date.now() - checkedAt < FRESH_MS;
}

/**
 * Requests the person and their workspaces; `justHeard` is the account where the server has just returned it.
 * @throws unauthorized after a 401 (the way out has begun), internal, or the network's error */
export async function refreshPerson(justHeard?: User): Promise<Person> {
  const [found, workspaces, shared] = await Promise.all([
    justHeard ?? getResult('/v1/auth/whoami', isUser, LOOKUP_ERRORS.user),
    getResult('/v1/workspaces?perPage=100', areMemberships, LOOKUP_ERRORS.workspace),
    getResult('/v1/workspaces/shared', areMemberships, LOOKUP_ERRORS.workspace),
  ]);
  const memberships = [
    ...workspaces.map(({ id, slug, name }) => ({ id, slug, name })),
    ...shared.map(({ id, slug, name }) => ({ id, slug, name, isGuest: true })),
  ];
  const person = { user: found, workspaces: memberships, checkedAt: Date.now() };
  if (!isImpersonating()) setPerson(person);
  return person;
}

/** The person, from this device when known, else from the server; undefined when no person is signed in. */
export async function loadPerson(): Promise<Person | undefined> {
  if (sessionToken() === undefined) return undefined;
  const known = currentPerson();
  if (known) return known;
  try {
    return await refreshPerson();
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return undefined;
    throw error;
  }
}

export function lastWorkspace(): Membership | undefined {
  const id = readCookie(COOKIES.workspace);
  const workspaces = currentPerson()?.workspaces ?? [];
  return workspaces.find((candidate) => candidate.id === id) ?? workspaces[0];
}

/** Remembers the workspace that is open, for the next visit and for a browser extension. */
export function rememberWorkspace(id: Id<'workspace'>): void {
  if (!isImpersonating()) writeCookie(COOKIES.workspace, id, SESSION.absoluteDays);
}

/** Called when the session ended, before the page moves to the login. */
export function onSessionEnd(listener: EndListener): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

/** Forgets token and person; what else this device holds is the business of logout. */
export function forgetSession(): void {
  dropCookie(COOKIES.session);
  dropCookie(COOKIES.workspace);
  writeSetting(PERSON_SETTING, undefined);
  impersonation.set(undefined);
  ownPerson.set(undefined);
  void removeSnapshots();
}

/**
 * Handles a 401: deletes the session, then opens the log-in page after 200 ms unless already there. A token that another tab
 * has replaced by a new log-in ends this page only, which reloads with the new session.
 */
export function endSession(refused = sessionToken()): void {
  if (isEnding) return;
  isEnding = true;
  const current = sessionToken();
  const isReplaced = current !== undefined && refused !== current;
  if (isReplaced) ownPerson.set(undefined);
  const next = isReplaced ? currentPerson() : undefined;
  // After an impersonation staff log in as themselves, and cannot open pages of the impersonated person.
  const isOwn = !isImpersonating();
  for (const listener of endListeners) listener(next);
  if (!isReplaced) forgetSession();
  setTimeout(() => {
    isEnding = false;
    const { pathname, search, hash } = globalThis.location;
    if (isReplaced) globalThis.location.reload();
    else if (pathname !== '/login' && pathname !== '/signup') {
      keepMailedToken(pathname);
      const back = isOwn ? `&redirect=${encodeURIComponent(pathname + search + hashToReturnTo(hash))}` : '';
      globalThis.location.assign(`/login?clear=true${back}`);
    }
  }, LOGOUT_REDIRECT_DELAY_MS);
}

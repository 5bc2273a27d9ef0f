/**
 * Shared by log-in and sign-up: the call, storing the session, and the navigation that follows. Errors about the typed
 * values are returned as a sentence; all others are shown as a toast.
 */
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ERRORS } from '#shared/errors.ts';
import type { Credentials } from '#client/accounts/credentials-form.tsx';
import { inviteIn } from '#client/accounts/provider-trip.ts';
import { useArrival, type Arrival } from '#client/accounts/use-arrival.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { awayFromLogin } from '#client/api/return-decision.ts';
import { publicApi } from '#client/api/session-client.ts';
import { currentPerson, lastWorkspace } from '#client/api/session.ts';
import { takeInviteArrival } from '#client/shell/invite-arrival.ts';
import { showProblem } from '#client/shell/problem-toast.ts';

const ABOUT_THE_INPUT: ReadonlySet<number> = new Set([
  ERRORS.bad_request.status,
  ERRORS.unauthorized.status,
  ERRORS.conflict.status,
  // The wait may be longer than a toast stays.
  ERRORS.rate_limited.status,
]);

/** The field that the server refused, with the reason as a sentence; undefined for other failures. */
export function refusedField(failure: unknown): { field: string; text: string } | undefined {
  if (!(failure instanceof ApiProblem) || failure.status !== ERRORS.invalid.status) return undefined;
  const [, field, reason] = /^(\w+): (.+)$/s.exec(failure.error.detail) ?? [];
  if (field === undefined || reason === undefined) return undefined;
  return { field, text: reason.charAt(0).toUpperCase() + reason.slice(1) };
}

/** A sentence for the form, or undefined after a toast. */
export function refusalText(failure: unknown): string | undefined {
  if (failure instanceof ApiProblem && ABOUT_THE_INPUT.has(failure.status)) return failure.error.detail;
  // The browser's word for no answer at all.
  if (failure instanceof TypeError) return 'Could not reach the server. Try again when you are online.';
  showProblem(failure);
  return undefined;
}

/** Whether the log-in needs the code of a second factor. */
export function wantsCode(failure: unknown): boolean {
  return failure instanceof ApiProblem && failure.error.code === 'second_factor_required';
}

/** A log-in that waits for the code of a second factor; returns the sentence to show when the code was refused. */
export type WithCode = (code: string) => Promise<string | undefined>;

/** Signs in by either call and navigates; `away` is set when the visitor need not be here at all. */
export function useSignIn(kind: 'login' | 'signup') {
  const [params] = useSearchParams();
  const search = params.size === 0 ? '' : `?${params.toString()}`;
  const [away] = useState(() => {
    const person = currentPerson();
    return awayFromLogin({
      person: person && { workspaceSlugs: person.workspaces.map(({ slug }) => slug) },
      search,
      lastSlug: lastWorkspace()?.slug,
    });
  });
  const [arrival] = useState(takeInviteArrival);
  const [invite] = useState(() => inviteIn(search));
  const [withCode, setWithCode] = useState<WithCode>();
  const { arrive, others } = useArrival();
  /** Goes on after any sign-in on this page. */
  const enter = (signedIn: Arrival['signedIn'], isNew = false) =>
    arrive({ signedIn, isNew, redirect: params.get('redirect'), invite: arrival?.id });
  const logIn = async (credentials: Credentials, code?: string): Promise<string | undefined> => {
    try {
      const body = { ...credentials, ...(code === undefined ? {} : { code }) };
      await enter((await publicApi('auth.login', { body })).result);
      return undefined;
    } catch (failure) {
      if (code !== undefined || !wantsCode(failure))
        return refusedField(failure)?.text ?? refusalText(failure);
      setWithCode(() => (typed: string) => logIn(credentials, typed));
      return undefined;
    }
  };
  const signUp = async (credentials: Credentials): Promise<string | undefined> => {
    try {
      const body = { ...credentials, ...(invite === undefined ? {} : { invite }) };
      await enter((await publicApi('auth.signup', { body })).result, true);
      return undefined;
    } catch (failure) {
      return refusalText(failure);
    }
  };
  return {
    away,
    submit: (credentials: Credentials) => (kind === 'login' ? logIn(credentials) : signUp(credentials)),
    enter,
    /** Set once the password was right and a code is missing. */
    withCode,
    search,
    others,
    arrival,
    invite,
    clears: params.get('clear') === 'true',
  };
}

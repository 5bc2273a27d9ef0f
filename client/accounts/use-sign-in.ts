/**
 * What logging in and signing up have in common: call, remember the session, go where the person wanted to go.
 * Refusals that concern the typed words come back as a sentence; all else is a toast.
 */
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ERRORS } from '#shared/errors.ts';
import { isId } from '#shared/ids.ts';
import type { OthersHere } from '#client/accounts/others-unsent.tsx';
import { nextStep } from '#client/accounts/next-step.ts';
import type { Credentials } from '#client/accounts/credentials-form.tsx';
import { ApiProblem } from '#client/api/api-problem.ts';
import { findUnsentOfOthers } from '#client/api/lazy-departed.ts';
import { awayFromLogin, safeRedirect } from '#client/api/return-decision.ts';
import { publicApi } from '#client/api/session-client.ts';
import { currentPerson, lastWorkspace, refreshPerson, signIn } from '#client/api/session.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { rememberReturn } from '#client/shell/return-path.ts';

const ABOUT_THE_INPUT: ReadonlySet<number> = new Set([
  ERRORS.bad_request.status,
  ERRORS.unauthorized.status,
  ERRORS.conflict.status,
]);

/** A sentence for the form, or undefined after a toast. */
export function refusalText(failure: unknown): string | undefined {
  if (failure instanceof ApiProblem && ABOUT_THE_INPUT.has(failure.status)) return failure.error.detail;
  // The browser's word for no answer at all.
  if (failure instanceof TypeError) return 'The server cannot be reached. Try again once you are online.';
  showProblem(failure);
  return undefined;
}

/** Signs in by either call and navigates; `away` is set when the visitor need not be here at all. */
export function useSignIn(kind: 'login' | 'signup') {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const search = params.size === 0 ? '' : `?${params.toString()}`;
  const [away] = useState(() => {
    const person = currentPerson();
    return awayFromLogin({
      person: person && {
        emailVerified: person.user.emailVerified,
        forename: person.user.forename,
        workspaceSlugs: person.workspaces.map(({ slug }) => slug),
      },
      search,
      lastSlug: lastWorkspace()?.slug,
    });
  });
  const [others, setOthers] = useState<OthersHere>();
  const submit = async (credentials: Credentials): Promise<string | undefined> => {
    try {
      const invite = params.get('invite');
      const { result } =
        kind === 'login'
          ? await publicApi('auth.login', { body: credentials })
          : await publicApi('auth.signup', {
              body: { ...credentials, ...(isId('invite', invite) ? { invite } : {}) },
            });
      signIn(result);
      const step = nextStep(await refreshPerson(), lastWorkspace());
      const goOn = async () => {
        // Unfinished onboarding comes first; the guard would send the person there anyway.
        const wanted = safeRedirect(params.get('redirect'));
        const isOnboarding = step.startsWith('/onboarding');
        if (isOnboarding && wanted !== undefined) rememberReturn(wanted);
        await navigate(isOnboarding ? step : (wanted ?? step), { replace: true });
      };
      const unsent = await findUnsentOfOthers(result.user.id);
      if (unsent) setOthers({ unsent, userId: result.user.id, goOn });
      else await goOn();
      return undefined;
    } catch (failure) {
      return refusalText(failure);
    }
  };
  return { away, submit, search, others, clears: params.get('clear') === 'true' };
}

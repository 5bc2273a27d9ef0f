/**
 * `/auth/github/callback` and `/auth/google/callback`: reads the one-time code from the fragment, completes the log-in that
 * this tab started, and redirects. An error is shown as a toast on the page where the person started.
 */
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { PROVIDER_LABELS, type ProviderName } from '#shared/accounts/identity-providers.ts';
import { AppError, ERRORS, FALLBACK_DETAIL } from '#shared/errors.ts';
import { pathTo } from '#shared/pages.ts';
import { OthersChoice } from '#client/accounts/others-unsent.tsx';
import { takeTrip, type Trip } from '#client/accounts/provider-trip.ts';
import { SecondFactorForm } from '#client/accounts/second-factor-form.tsx';
import { useArrival } from '#client/accounts/use-arrival.ts';
import { refusedField, refusalText, wantsCode, type WithCode } from '#client/accounts/use-sign-in.ts';
import { api, publicApi } from '#client/api/session-client.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';
import { FormCard } from '#client/ui/form-card.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

/** The code or the error name; removed from the address bar and the history. */
function takeFragment(): { code: string | null; error: string | null } {
  const { hash, pathname } = globalThis.location;
  const fragment = new URLSearchParams(hash.slice(1));
  globalThis.history.replaceState(globalThis.history.state, '', pathname);
  return { code: fragment.get('code'), error: fragment.get('error') };
}

function showFailure(error: string | null, provider: ProviderName): void {
  if (error === 'declined') showToast({ title: `${PROVIDER_LABELS[provider]} log-in cancelled` });
  else if (error === 'unavailable') {
    const description = `${PROVIDER_LABELS[provider]} could not be reached. Try again.`;
    showToast({ kind: 'warning', title: ERRORS.bad_gateway.message, description });
  } else showProblem(new AppError('internal', FALLBACK_DETAIL));
}

function useProviderCallback(provider: ProviderName) {
  const navigate = useNavigate();
  const { arrive, others } = useArrival();
  const [withCode, setWithCode] = useState<WithCode>();
  const begun = useRef(false);

  const signIn = async (trip: Trip, code: string, secondFactor?: string): Promise<void> => {
    const { verifier, invite, from } = trip;
    const body = {
      code,
      verifier,
      ...(invite === undefined ? {} : { invite }),
      ...(secondFactor === undefined ? {} : { secondFactor }),
    };
    const { result } = await publicApi('auth.exchange', { body });
    const params = new URL(from, globalThis.location.origin).searchParams;
    const invited = params.get('invite');
    await arrive({
      signedIn: result,
      isNew: !result.user.emailVerified,
      redirect: params.get('redirect'),
      invite: invited?.startsWith('inv_') ? invited : undefined,
    });
  };
  const finish = async (trip: Trip, code: string): Promise<void> => {
    const { verifier, purpose, from } = trip;
    if (purpose === 'sign-in') {
      await signIn(trip, code);
      return;
    }
    if (purpose === 'connect') {
      await api('auth.connect', { params: { provider }, body: { code, verifier } });
      await navigate(from, { replace: true });
      showToast({ kind: 'success', title: `${PROVIDER_LABELS[provider]} connected` });
      return;
    }
    await api('auth.confirm', { body: { provider: { code, verifier } } });
    await navigate(from, { replace: true });
    showToast({ kind: 'success', title: 'Confirmed', description: 'You can continue now.' });
  };
  const start = async () => {
    const { code, error } = takeFragment();
    const trip = takeTrip(provider);
    const back = trip?.from ?? pathTo('login', {});
    if (code === null || !trip) {
      await navigate(back, { replace: true });
      showFailure(error, provider);
      return;
    }
    try {
      await finish(trip, code);
    } catch (failure) {
      if (wantsCode(failure)) {
        setWithCode(() => (typed: string) => retry(trip, code, typed));
        return;
      }
      await navigate(back, { replace: true });
      showProblem(failure);
    }
  };
  const retry = async (trip: Trip, code: string, typed: string): Promise<string | undefined> => {
    try {
      await signIn(trip, code, typed);
      return undefined;
    } catch (failure) {
      return refusedField(failure)?.text ?? refusalText(failure);
    }
  };
  useEffect(() => {
    // Once, also where React runs effects twice: the code works once.
    if (begun.current) return;
    begun.current = true;
    void start();
  });
  return { others, withCode };
}

function ProviderCallback({ provider }: { provider: ProviderName }) {
  const { others, withCode } = useProviderCallback(provider);
  if (others) return <OthersChoice others={others} />;
  if (withCode) return <SecondFactorForm submit={withCode} />;
  return (
    <FormCard title={`Continuing with ${PROVIDER_LABELS[provider]}`}>
      <SkeletonGroup label="Logging in">
        <Skeleton className="h-10 w-full" />
      </SkeletonGroup>
    </FormCard>
  );
}

export function GithubCallbackPage() {
  return <ProviderCallback provider="github" />;
}

export function GoogleCallbackPage() {
  return <ProviderCallback provider="google" />;
}

/**
 * Steps after every successful sign-in, whatever the method: store the session, look for unsent changes of other
 * accounts, and navigate to the requested page.
 */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { User } from '#shared/accounts/user.ts';
import { missingStep, nextStep } from '#client/accounts/next-step.ts';
import type { OthersHere } from '#client/accounts/others-unsent.tsx';
import { findUnsentOfOthers } from '#client/api/lazy-signed-out.ts';
import { guardSession } from '#client/api/guard-session.ts';
import { safeRedirect, workspaceOf } from '#client/api/return-decision.ts';
import { lastWorkspace, refreshPerson, signIn, type Person } from '#client/api/session.ts';
import { startWorkerEarly } from '#client/replica/early-worker.ts';
import { invitePath } from '#client/shell/invite-arrival.ts';
import { rememberReturn } from '#client/shell/return-path.ts';
import { showToast } from '#client/shell/toasts.ts';

/** Result of a sign-in and its destination. */
export interface Arrival {
  signedIn: { token: string; user: User };
  /** A new account has no replica that a worker could open. */
  isNew: boolean;
  /** Path to return to, from the query. */
  redirect: string | null;
  /** Invitation to a workspace. */
  invite: string | undefined;
}

/**
 * The path to return to, unless it is in a workspace that this person cannot open: the page of another account, whose session
 * ended on this device, leaves its address in the log-in.
 */
async function returnPath(
  redirect: string | null,
  { user, workspaces }: Person,
): Promise<string | undefined> {
  const wanted = safeRedirect(redirect);
  const slug = wanted === undefined ? undefined : workspaceOf(wanted);
  if (slug === undefined || workspaces.some((workspace) => workspace.slug === slug)) return wanted;
  if ((await guardSession.movedTo(slug)) !== undefined) return wanted;
  showToast({
    title: 'You do not have access to that page',
    description: `You are logged in as ${user.email}.`,
    kind: 'warning',
  });
  return undefined;
}

/** `arrive` continues; while `others` is set, the person has to decide about data of another account on this device. */
export function useArrival() {
  const navigate = useNavigate();
  const [others, setOthers] = useState<OthersHere>();
  const arrive = async ({ signedIn, isNew, redirect, invite }: Arrival): Promise<void> => {
    signIn(signedIn);
    if (!isNew) startWorkerEarly();
    const person = await refreshPerson(signedIn.user);
    const step = missingStep(person);
    const goOn = async () => {
      // An invitation comes before onboarding: it brings a workspace, and its link confirms the address.
      if (invite !== undefined) {
        await navigate(invitePath(invite), { replace: true });
        return;
      }
      // Unfinished onboarding comes first; the guard would send the person there anyway.
      const wanted = await returnPath(redirect, person);
      const isStep = step !== undefined && wanted?.startsWith('/onboarding/') !== true;
      if (isStep && wanted !== undefined) rememberReturn(wanted);
      await navigate(isStep ? step : (wanted ?? nextStep(person, lastWorkspace())), { replace: true });
    };
    const unsent = await findUnsentOfOthers(signedIn.user.id);
    if (unsent) setOthers({ unsent, userId: signedIn.user.id, goOn });
    else await goOn();
  };
  return { arrive, others };
}

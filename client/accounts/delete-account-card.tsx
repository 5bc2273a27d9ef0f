/**
 * Deleting the account: shows what happens to each workspace, requires the account's email address, and removes the person's
 * data from this device. Logging in again within the grace period restores the account.
 */
import { useState } from 'react';
import type { RemovalPlan } from '#shared/accounts/endpoints.ts';
import type { User } from '#shared/accounts/user.ts';
import { ACCOUNT_KEEP_DAYS } from '#shared/accounts/limits.ts';
import { useStepUp } from '#client/accounts/step-up.tsx';
import { leaveDevice, sendBeforeLogout } from '#client/api/logout.ts';
import { beginLeaving } from '#client/api/session.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { perform } from '#client/shell/perform.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

const LISTS = [
  { part: 'blocking', words: 'Give these another owner, or delete them, first. You are their only owner:' },
  {
    part: 'deleted',
    words: 'Deleted with everything in them, as you are the only member:',
  },
  { part: 'left', words: 'You leave these. What you wrote there stays, by “Deleted user”:' },
] as const;

function Plan({ plan }: { plan: RemovalPlan }) {
  return LISTS.filter(({ part }) => plan[part].length > 0).map(({ part, words }) => (
    <div key={part} className="mt-3">
      <p>{words}</p>
      <ul className="mt-1 list-disc ps-5 text-ink">
        {plan[part].map(({ id, name }) => (
          <li key={id} className="wrap-anywhere">
            {name}
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** A button, and the question behind it. */
export function DeleteAccount({ user }: { user: User }) {
  const { act, dialog } = useStepUp();
  const isOnline = useIsOnline();
  const [plan, setPlan] = useState<RemovalPlan>();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    await perform(async () => {
      setPlan((await api('auth.removal_plan', {})).result);
      setTyped('');
      setOpen(true);
    });
    setBusy(false);
  };
  const remove = async () => {
    setOpen(false);
    setBusy(true);
    const stay = beginLeaving();
    try {
      // Pending changes are sent first, so that cancelling the deletion restores them too.
      await sendBeforeLogout();
      const { result } = await act(() => api('auth.remove', {}));
      await leaveDevice(`/login?clear=true&closed=${encodeURIComponent(result.purgeAfter)}`);
    } catch (failure) {
      stay();
      showProblem(failure);
      setBusy(false);
    }
  };
  const isBlocked = plan !== undefined && plan.blocking.length > 0;
  return (
    <>
      <div>
        <Button variant="quietDanger" disabled={!isOnline} loading={busy} onClick={() => void ask()}>
          Delete my account
        </Button>
      </div>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={isBlocked ? 'Your account cannot be deleted yet' : 'Delete your account?'}
        confirm="Delete account"
        ready={!isBlocked && typed.trim().toLowerCase() === user.email.toLowerCase()}
        onConfirm={() => void remove()}
      >
        <p>
          You are logged out everywhere at once, and your API keys stop. For {ACCOUNT_KEEP_DAYS} days logging
          in again keeps the account; after that it is gone for good.
        </p>
        {plan && <Plan plan={plan} />}
        {!isBlocked && (
          <Field label={`Type “${user.email}” to confirm`} className="mt-4 text-ink">
            <Input
              value={typed}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
            />
          </Field>
        )}
      </ConfirmDialog>
      {dialog}
    </>
  );
}

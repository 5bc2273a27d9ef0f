/**
 * `/login`: e-mail and password, a passkey, or an identity provider. A person who is signed in goes on to their workspace, unless `?clear=true`.
 */
import { useEffect } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { CredentialsForm } from '#client/accounts/credentials-form.tsx';
import { FormFootLink } from '#client/accounts/form-foot-link.tsx';
import { InvitedBy } from '#client/accounts/invited-by.tsx';
import { OthersChoice, UnsentHint } from '#client/accounts/others-unsent.tsx';
import { OtherWaysIn } from '#client/accounts/other-ways-in.tsx';
import { SecondFactorForm } from '#client/accounts/second-factor-form.tsx';
import { INVITATION_OVER, useMailedInvite, type MailedInvite } from '#client/accounts/use-mailed-invite.ts';
import { useSignInOptions } from '#client/accounts/use-sign-in-options.ts';
import { useSignIn } from '#client/accounts/use-sign-in.ts';
import { forgetSession } from '#client/api/session.ts';
import type { Loaded } from '#client/shell/use-loaded.ts';
import { formatDate } from '#shared/english.ts';
import { FormCard } from '#client/ui/form-card.tsx';

/** After an account was deleted: until when logging in brings it back. */
function ClosedNote({ until }: { until: string | null }) {
  const moment = Date.parse(until ?? '');
  if (Number.isNaN(moment)) return null;
  return (
    <output className="mb-5 block rounded-control bg-sunk px-3 py-2.5 text-sm">
      Your account will be deleted on {formatDate(new Date(moment))}. Log in before then to keep it.
    </output>
  );
}

function InvitationLead({ invited }: { invited: Loaded<MailedInvite> }) {
  if (invited.state !== 'here' || invited.value === undefined) return 'Log in to see your invitation.';
  if (invited.value === 'over') return INVITATION_OVER;
  return (
    <>
      Log in to join <span className="font-medium break-words text-ink">{invited.value.workspaceName}</span>.{' '}
      <InvitedBy invite={invited.value} />
    </>
  );
}

export function LoginPage() {
  const [params] = useSearchParams();
  const { away, submit, enter, withCode, search, others, arrival, invite, clears } = useSignIn('login');
  const { known: options } = useSignInOptions();
  const invited = useMailedInvite(arrival);
  useEffect(() => {
    if (clears) forgetSession();
  }, [clears]);
  if (others) return <OthersChoice others={others} />;
  if (withCode) return <SecondFactorForm submit={withCode} />;
  if (away !== undefined) return <Navigate to={away} replace />;
  return (
    <FormCard
      title="Log in"
      lead={arrival && <InvitationLead invited={invited} />}
      foot={<FormFootLink to={`/signup${search}`} before="New here?" text="Sign up" />}
    >
      <ClosedNote until={params.get('closed')} />
      <UnsentHint />
      <CredentialsForm kind="login" submit={submit} email={arrival?.email} />
      <OtherWaysIn
        providers={options.state === 'here' ? options.value.providers : []}
        invite={invite}
        onPasskey={enter}
      />
    </FormCard>
  );
}

/**
 * `/signup`: a new account with e-mail and password; leads into onboarding. An invitation in the address is passed on. Which
 * form a visitor gets depends on whom the server lets in, so none is shown before that is known.
 */
import { useState, type ReactNode } from 'react';
import { Navigate } from 'react-router';
import { CredentialsForm } from '#client/accounts/credentials-form.tsx';
import { FormFootLink } from '#client/accounts/form-foot-link.tsx';
import { InvitedBy } from '#client/accounts/invited-by.tsx';
import { OthersChoice } from '#client/accounts/others-unsent.tsx';
import { OtherWaysIn } from '#client/accounts/other-ways-in.tsx';
import { INVITATION_OVER, useMailedInvite } from '#client/accounts/use-mailed-invite.ts';
import { useSignInOptions } from '#client/accounts/use-sign-in-options.ts';
import { useSignIn } from '#client/accounts/use-sign-in.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { RequestAccessCard } from '#client/site/request-access-card.tsx';
import { FormCard } from '#client/ui/form-card.tsx';

const TITLE = 'Create your account';
const LEAD = 'Save anything and find it anywhere, online or offline.';

export function SignupPage() {
  const { away, submit, search, others, arrival, invite } = useSignIn('signup');
  const { known: options, load } = useSignInOptions(invite);
  const opened = useMailedInvite(arrival);
  // The configuration may name addresses that need no invitation; only the server has the list.
  const [asAllowed, setAsAllowed] = useState(false);
  const [givenEmail] = useState(
    () => new URLSearchParams(globalThis.location.hash.slice(1)).get('email') ?? '',
  );
  if (others) return <OthersChoice others={others} />;
  if (away !== undefined) return <Navigate to={away} replace />;
  const foot = <FormFootLink to={`/login${search}`} before="Already have an account?" text="Log in" />;
  const form = <CredentialsForm kind="signup" submit={submit} email={arrival?.email ?? givenEmail} />;
  if (options.state !== 'here' || opened.state === 'loading') {
    const known = options.state === 'here' ? opened : options;
    return (
      <FormCard title={TITLE} lead={LEAD} foot={foot}>
        <LoadedList known={known} what="the form" usual={undefined} onRetry={() => void load()}>
          {() => form}
        </LoadedList>
      </FormCard>
    );
  }
  const { signup, providers, invited } = options.value;
  const mailed = opened.state === 'here' ? opened.value : undefined;
  const isOver = mailed === 'over' || (signup === 'invite' && invite !== undefined && !invited);
  if (signup === 'closed') {
    return <FormCard title="Sign-up is closed" lead="This server takes no new accounts." foot={foot} />;
  }
  if (signup === 'invite' && !invited && !asAllowed) {
    return (
      <RequestAccessCard
        notice={isOver ? INVITATION_OVER : undefined}
        foot={
          <>
            {foot}
            <br />
            <button
              type="button"
              className="mt-2 inline-flex min-h-6 items-center font-medium text-primary underline-offset-2 hover:underline pointer-coarse:min-h-11"
              onClick={() => setAsAllowed(true)}
            >
              Sign up with an address that may join
            </button>
          </>
        }
      />
    );
  }
  let title = TITLE;
  let lead: ReactNode = LEAD;
  if (isOver) lead = INVITATION_OVER;
  else if (mailed !== undefined) {
    title = `Join ${mailed.workspaceName}`;
    lead = (
      <>
        <InvitedBy invite={mailed} /> Create an account with{' '}
        <span className="font-medium wrap-anywhere text-ink">{mailed.email}</span>, the address that the
        invitation was sent to.
      </>
    );
  } else if (arrival)
    lead = 'You were invited to a workspace. Use the address that the invitation was sent to.';
  else if (signup === 'invite')
    lead = asAllowed
      ? 'Only addresses that this server lets in can create an account.'
      : 'Use the address that the invitation was sent to.';
  return (
    <FormCard title={title} lead={lead} foot={foot}>
      {form}
      <OtherWaysIn providers={providers} invite={invite} />
    </FormCard>
  );
}

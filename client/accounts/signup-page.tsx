/**
 * `/signup`: a new account with e-mail and password; leads into onboarding. An invitation in the address is passed on.
 */
import { useState } from 'react';
import { Navigate } from 'react-router';
import { CredentialsForm } from '#client/accounts/credentials-form.tsx';
import { FormFootLink } from '#client/accounts/form-foot-link.tsx';
import { OthersChoice } from '#client/accounts/others-unsent.tsx';
import { OtherWaysIn } from '#client/accounts/other-ways-in.tsx';
import { useSignInOptions } from '#client/accounts/use-sign-in-options.ts';
import { useSignIn } from '#client/accounts/use-sign-in.ts';
import { RequestAccessCard } from '#client/site/request-access-card.tsx';
import { FormCard } from '#client/ui/form-card.tsx';

/** The page. */
export function SignupPage() {
  const { away, submit, search, others, arrival, invite } = useSignIn('signup');
  const options = useSignInOptions();
  // The configuration may name addresses that need no invitation; only the server has the list.
  const [asAllowed, setAsAllowed] = useState(false);
  const [givenEmail] = useState(
    () => new URLSearchParams(globalThis.location.hash.slice(1)).get('email') ?? '',
  );
  if (others) return <OthersChoice others={others} />;
  if (away !== undefined) return <Navigate to={away} replace />;
  const foot = <FormFootLink to={`/login${search}`} before="Already have an account?" text="Log in" />;
  if (options?.signup === 'closed') {
    return <FormCard title="Sign-up is closed" lead="This server takes no new accounts." foot={foot} />;
  }
  if (options?.signup === 'invite' && invite === undefined && !asAllowed) {
    return (
      <RequestAccessCard
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
  return (
    <FormCard
      title="Create your account"
      lead={
        arrival
          ? 'You were invited to a workspace. Use the address that the invitation was sent to.'
          : 'Save anything and find it anywhere, online or offline.'
      }
      foot={foot}
    >
      <CredentialsForm kind="signup" submit={submit} email={arrival?.email ?? givenEmail} />
      <OtherWaysIn providers={options?.providers ?? []} invite={invite} />
    </FormCard>
  );
}

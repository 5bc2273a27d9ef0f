/**
 * `/login`: e-mail and password. Somebody who is signed in goes on to their workspace, unless `?clear=true`.
 */
import { useEffect } from 'react';
import { Link, Navigate } from 'react-router';
import { CredentialsForm } from '#client/accounts/credentials-form.tsx';
import { OthersChoice, UnsentHint } from '#client/accounts/others-unsent.tsx';
import { useSignIn } from '#client/accounts/use-sign-in.ts';
import { forgetSession } from '#client/api/session.ts';
import { FormCard } from '#client/ui/form-card.tsx';

/** The page. */
export function LoginPage() {
  const { away, submit, search, others, clears } = useSignIn('login');
  useEffect(() => {
    if (clears) forgetSession();
  }, [clears]);
  if (others) return <OthersChoice others={others} />;
  if (away !== undefined) return <Navigate to={away} replace />;
  return (
    <FormCard
      title="Log in"
      foot={
        <>
          New here?{' '}
          <Link
            to={`/signup${search}`}
            className="font-medium text-primary-text underline-offset-2 hover:underline"
          >
            Sign up
          </Link>
        </>
      }
    >
      <UnsentHint />
      <CredentialsForm kind="login" submit={submit} />
    </FormCard>
  );
}

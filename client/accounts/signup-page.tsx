/**
 * `/signup`: a new account with e-mail and password; leads into onboarding. An invitation in the address is passed on.
 */
import { Link, Navigate } from 'react-router';
import { CredentialsForm } from '#client/accounts/credentials-form.tsx';
import { OthersChoice } from '#client/accounts/others-unsent.tsx';
import { useSignIn } from '#client/accounts/use-sign-in.ts';
import { FormCard } from '#client/ui/form-card.tsx';

/** The page. */
export function SignupPage() {
  const { away, submit, search, others } = useSignIn('signup');
  if (others) return <OthersChoice others={others} />;
  if (away !== undefined) return <Navigate to={away} replace />;
  return (
    <FormCard
      title="Create your account"
      lead="Save anything, find it everywhere, with and without a network."
      foot={
        <>
          Already have an account?{' '}
          <Link
            to={`/login${search}`}
            className="font-medium text-primary-text underline-offset-2 hover:underline"
          >
            Log in
          </Link>
        </>
      }
    >
      <CredentialsForm kind="signup" submit={submit} />
    </FormCard>
  );
}

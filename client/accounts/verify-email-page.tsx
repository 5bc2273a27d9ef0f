/**
 * `/onboarding/verify-email`: proves the address of the account by the mailed code, or by the mailed link, which is used up
 * by a press of a button and not by being opened. The same for an address that is to replace it. Before there
 * is a workspace it can be put off; from the settings it leads back.
 */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { z } from 'zod';
import { EMAIL_CODE } from '#shared/accounts/limits.ts';
import { MINUTE_MS } from '#shared/constants.ts';
import { FormFootLink } from '#client/accounts/form-foot-link.tsx';
import { stepAfterProof } from '#client/accounts/next-step.ts';
import { useEmailChange } from '#client/accounts/use-email-change.ts';
import { useRefusal } from '#client/accounts/use-refusal.ts';
import { safeRedirect } from '#client/api/return-decision.ts';
import { api } from '#client/api/session-client.ts';
import { lastWorkspace, refreshPerson, usePerson, type Person } from '#client/api/session.ts';
import { forgetMailedToken, mailedTokenAt } from '#client/shell/mailed-link.ts';
import { showToast } from '#client/shell/toasts.ts';
import { Button } from '#client/ui/button.tsx';
import { CardForm } from '#client/ui/card-form.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Input } from '#client/ui/input.tsx';

/** Broken between words only. */
const TITLE = (
  <>
    Confirm your <span className="whitespace-nowrap">e-mail</span> address
  </>
);

const schema = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'Enter the six digits of the mail'),
});
type Typed = z.input<typeof schema>;

/** Where the page leads when the address is proven, or when that is put off. */
function useWayOn(): (person: Person) => string {
  const [params] = useSearchParams();
  return (person) => safeRedirect(params.get('redirect')) ?? stepAfterProof(person, lastWorkspace());
}

/** Proves the address and continues. @throws the refusal of the server */
function useProof() {
  const navigate = useNavigate();
  const wayOn = useWayOn();
  return async (proof: { code: string } | { token: string }) => {
    await api('auth.verify_email', { body: proof });
    forgetMailedToken();
    const person = await refreshPerson();
    await navigate(wayOn(person), { replace: true });
    showToast({ title: 'E-mail address confirmed', kind: 'success' });
  };
}

/** Requests another code and shows the result. */
function Resend({ email }: { email: string }) {
  const [sent, setSent] = useState(false);
  const { problem, busy, attempt } = useRefusal();
  const send = async () => {
    setSent(false);
    setSent(await attempt(() => api('auth.resend_verification', {})));
  };
  return (
    <div className="mt-4 flex flex-col gap-3">
      <Button size="lg" block loading={busy} onClick={() => void send()}>
        Send a new code
      </Button>
      <FormProblem text={problem} />
      <output className="block text-center text-ink-muted empty:hidden">
        {sent && `A new code is on its way to ${email}. Earlier ones no longer work.`}
      </output>
    </div>
  );
}

function CodeForm({ email, foot }: { email: string; foot: ReactNode }) {
  const prove = useProof();
  const { problem, attempt } = useRefusal();
  const { register, handleSubmit, formState, setError } = useForm<Typed>({
    resolver: zodResolver(schema),
    defaultValues: { code: '' },
  });
  const send = handleSubmit((typed) =>
    attempt(() => prove(typed), { code: (message) => setError('code', { message }) }),
  );
  return (
    <FormCard
      title={TITLE}
      lead={
        <>
          Enter the code that was mailed to{' '}
          <strong className="font-medium wrap-anywhere text-ink">{email}</strong>. It works for{' '}
          {EMAIL_CODE.ms / MINUTE_MS} minutes.
        </>
      }
      foot={foot}
    >
      <CardForm onSubmit={send} problem={problem} submit="Confirm address" busy={formState.isSubmitting}>
        <Field label="Code" error={formState.errors.code?.message} required>
          <Input {...register('code')} inputMode="numeric" autoComplete="one-time-code" spellCheck={false} />
        </Field>
      </CardForm>
      <Resend email={email} />
    </FormCard>
  );
}

function LinkForm({ token, email, foot }: { token: string; email: string; foot: ReactNode }) {
  const prove = useProof();
  const [dead, setDead] = useState(false);
  const { problem, busy, attempt } = useRefusal();
  const confirm = () =>
    attempt(() => prove({ token }), {
      token: () => {
        forgetMailedToken();
        setDead(true);
      },
    });
  if (dead) {
    return (
      <FormCard
        title="This link no longer works"
        lead="A link works once, for a day, and only the newest one does. It also needs the account that asked for it."
        foot={foot}
      >
        <Resend email={email} />
        <p className="mt-4 text-center">
          <FormFootLink to="/onboarding/verify-email" text="Enter a code" />
        </p>
      </FormCard>
    );
  }
  return (
    <FormCard
      title={TITLE}
      lead={<strong className="font-medium wrap-anywhere text-ink">{email}</strong>}
      foot={foot}
    >
      <div className="flex flex-col gap-4">
        <FormProblem text={problem} />
        <Button variant="primary" size="lg" block loading={busy} onClick={() => void confirm()}>
          Confirm address
        </Button>
      </div>
    </FormCard>
  );
}

/** The page; redirects when the address is already proven. */
export function VerifyEmailPage() {
  const { hash, pathname } = useLocation();
  const [params] = useSearchParams();
  const wayOn = useWayOn();
  const person = usePerson();
  const { known, change } = useEmailChange();
  if (!person) return null;
  const { user } = person;
  // A proven address may be about to be replaced by another one.
  if (user.emailVerified && !known) return null;
  if (user.emailVerified && !change) return <Navigate to={wayOn(person)} replace />;
  const email = change?.email ?? user.email;
  const back = safeRedirect(params.get('redirect'));
  const foot =
    back === undefined ? (
      <>
        <FormFootLink to={wayOn(person)} before="Not now?" text="Skip this step" />
        <span className="mt-2 block text-xs wrap-anywhere">
          You can save, search and ask without it. Until you confirm {user.email}, you cannot invite people,
          share with guests, publish or connect apps, what others share with that address stays closed, and
          you get no notifications by e-mail.
        </span>
      </>
    ) : (
      <FormFootLink to={back} text="Back" />
    );
  const token = mailedTokenAt(pathname, hash);
  return token === undefined ? (
    <CodeForm email={email} foot={foot} />
  ) : (
    <LinkForm token={token} email={email} foot={foot} />
  );
}

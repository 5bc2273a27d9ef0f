/**
 * `/reset-password`: a new password by a mailed link. Opening the link does not consume it, sending the form does; an expired
 * link offers a new one.
 */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'react-router';
import { z } from 'zod';
import { password } from '#shared/accounts/password.ts';
import { PASSWORD } from '#shared/accounts/limits.ts';
import { FormFootLink } from '#client/accounts/form-foot-link.tsx';
import { useRefusal } from '#client/accounts/use-refusal.ts';
import { publicApi } from '#client/api/session-client.ts';
import { mailedTokenIn } from '#client/shell/mailed-link.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

const schema = z.object({ password });
type Chosen = z.input<typeof schema>;

function DeadLink() {
  return (
    <FormCard
      title="This link no longer works"
      lead="A link works once, for one hour, and only the newest one does."
      foot={<FormFootLink to="/login" before="Remembered it?" text="Log in" />}
    >
      <LinkButton to="/forgot-password" variant="primary" size="lg" block>
        Send a new link
      </LinkButton>
    </FormCard>
  );
}

function Changed() {
  return (
    <FormCard
      title="Your password was changed"
      lead="You were logged out on every device. Log in with the new password."
    >
      {/* Here, too: what this browser remembers of a session is no longer true. */}
      <LinkButton to="/login?clear=true" variant="primary" size="lg" block>
        Log in
      </LinkButton>
    </FormCard>
  );
}

export function ResetPasswordPage() {
  const { hash } = useLocation();
  const token = mailedTokenIn(hash);
  const [state, setState] = useState<'open' | 'dead' | 'changed'>('open');
  const { problem, attempt } = useRefusal();
  const { register, handleSubmit, formState, setError } = useForm<Chosen>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { password: '' },
  });
  if (state === 'changed') return <Changed />;
  if (token === undefined || state === 'dead') return <DeadLink />;
  const send = handleSubmit((chosen) =>
    attempt(
      async () => {
        await publicApi('auth.reset_password', { body: { token, ...chosen } });
        setState('changed');
      },
      { token: () => setState('dead'), password: (message) => setError('password', { message }) },
    ),
  );
  return (
    <FormCard title="Choose a new password" lead="You will be logged out on every device.">
      <form noValidate method="post" onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        <Field
          label="New password"
          error={formState.errors.password?.message}
          hint={`At least ${PASSWORD.min} characters`}
          required
        >
          <PasswordInput {...register('password')} autoComplete="new-password" />
        </Field>
        <FormProblem text={problem} />
        <Button type="submit" variant="primary" size="lg" block loading={formState.isSubmitting}>
          Change password
        </Button>
      </form>
    </FormCard>
  );
}

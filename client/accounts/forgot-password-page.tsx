/**
 * `/forgot-password`: requests an e-mail with a link to choose a new password. The confirmation is the same for every
 * address, so it does not reveal whether an account exists.
 */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { EMAIL_LINK_MS } from '#shared/accounts/limits.ts';
import { HOUR_MS } from '#shared/constants.ts';
import { email } from '#shared/define/fields.ts';
import { FormFootLink } from '#client/accounts/form-foot-link.tsx';
import { useRefusal } from '#client/accounts/use-refusal.ts';
import { publicApi } from '#client/api/session-client.ts';
import { Button } from '#client/ui/button.tsx';
import { CardForm } from '#client/ui/card-form.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { Input } from '#client/ui/input.tsx';

const schema = z.object({ email });
type Asked = z.input<typeof schema>;

const hours = EMAIL_LINK_MS.reset / HOUR_MS;

/** The page; an address that was typed wrong can be typed again. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>();
  const { problem, attempt } = useRefusal();
  const { register, handleSubmit, formState } = useForm<Asked>({
    resolver: zodResolver(schema),
    defaultValues: { email: '' },
  });
  const send = handleSubmit((asked) =>
    attempt(async () => {
      await publicApi('auth.forgot_password', { body: asked });
      setSentTo(asked.email);
    }),
  );
  const foot = <FormFootLink to="/login" before="Remembered it?" text="Log in" />;
  if (sentTo !== undefined) {
    return (
      <FormCard title="Check your mail" foot={foot}>
        <output className="block">
          If an account uses <strong className="font-medium wrap-anywhere">{sentTo}</strong>, a link to choose
          a new password is on its way. The link works once, for {hours === 1 ? 'one hour' : `${hours} hours`}
          .
        </output>
        <p className="mt-3 text-ink-muted">Nothing after a few minutes? Look in the spam folder.</p>
        <Button size="lg" block className="mt-6" onClick={() => setSentTo(undefined)}>
          Send again
        </Button>
      </FormCard>
    );
  }
  return (
    <FormCard
      title="Forgot your password?"
      lead="Enter the address of your account. You get a mail with a link to choose a new password."
      foot={foot}
    >
      <CardForm onSubmit={send} problem={problem} submit="Send link" busy={formState.isSubmitting}>
        <Field label="E-mail" error={formState.errors.email?.message} required>
          <Input {...register('email')} type="email" autoComplete="email" />
        </Field>
      </CardForm>
    </FormCard>
  );
}

/**
 * E-mail address and password, for logging in and for signing up.
 * Validates by the rules of the shared tables; what happens with them is the page's business.
 */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { z } from 'zod';
import { password } from '#shared/accounts/password.ts';
import { PASSWORD } from '#shared/accounts/limits.ts';
import { email } from '#shared/define/fields.ts';
import { fetchFirstList } from '#client/start/first-list-files.ts';
import { CardForm } from '#client/ui/card-form.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

export interface Credentials {
  email: string;
  password: string;
}

interface CredentialsFormProps {
  kind: 'login' | 'signup';
  /** Returns the sentence to show when the server refused the credentials, undefined on success. */
  submit: (credentials: Credentials) => Promise<string | undefined>;
  /** Initial value of the field. */
  email?: string | undefined;
}

const SCHEMAS = {
  // Any text may be a password that was set long ago.
  login: z.object({ email, password: z.string().min(1, 'Required') }),
  signup: z.object({ email, password }),
} as const;

function ForgotLink() {
  return (
    <Link
      to="/forgot-password"
      className="text-xs font-medium text-primary underline-offset-2 hover:underline"
    >
      Forgot password?
    </Link>
  );
}

/** Errors show when the form is sent, and go as soon as they are mended. */
export function CredentialsForm({ kind, submit, email: given = '' }: CredentialsFormProps) {
  const [problem, setProblem] = useState<string>();
  const { register, handleSubmit, formState } = useForm<Credentials>({
    resolver: zodResolver(SCHEMAS[kind]),
    defaultValues: { email: given, password: '' },
  });
  const { errors } = formState;
  const send = handleSubmit(async (credentials) => {
    setProblem(undefined);
    setProblem(await submit(credentials));
  });
  return (
    <CardForm
      // The first list is fetched while the password is typed.
      onInput={kind === 'login' ? fetchFirstList : undefined}
      onSubmit={send}
      problem={problem}
      submit={kind === 'signup' ? 'Sign up' : 'Log in'}
      busy={formState.isSubmitting}
    >
      <Field label="E-mail" error={errors.email?.message} required>
        <Input {...register('email')} type="email" autoComplete="email" />
      </Field>
      <Field
        label="Password"
        error={errors.password?.message}
        required
        {...(kind === 'signup' ? { hint: `At least ${PASSWORD.min} characters` } : { aside: <ForgotLink /> })}
      >
        <PasswordInput
          {...register('password')}
          autoComplete={kind === 'signup' ? 'new-password' : 'current-password'}
        />
      </Field>
    </CardForm>
  );
}

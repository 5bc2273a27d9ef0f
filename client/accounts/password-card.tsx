/**
 * Changing the password with the present one; ends every session but this one.
 * Without the present one there is the mail: /forgot-password.
 */
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { z } from 'zod';
import { password } from '#shared/accounts/password.ts';
import { PASSWORD } from '#shared/accounts/limits.ts';
import { useRefusal } from '#client/accounts/use-refusal.ts';
import { api } from '#client/api/session-client.ts';
import { showToast } from '#client/shell/toasts.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

const schema = z.object({ currentPassword: z.string().min(1, 'Required'), password });
type Passwords = z.input<typeof schema>;

/** Two fields and a button. `email` is for password managers, which store a password under it. */
export function PasswordForm({ email }: { email: string }) {
  const { problem, attempt } = useRefusal();
  const { register, handleSubmit, formState, setError, reset } = useForm<Passwords>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { currentPassword: '', password: '' },
  });
  const send = handleSubmit(async (body) => {
    const isChanged = await attempt(() => api('auth.update', { body }), {
      currentPassword: (message) => setError('currentPassword', { message }),
      password: (message) => setError('password', { message }),
    });
    if (!isChanged) return;
    reset();
    showToast({
      title: 'Password changed',
      description: 'All other devices were logged out.',
      kind: 'success',
    });
  });
  const { errors, isSubmitting } = formState;
  return (
    <form noValidate method="post" onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <Field
        label="Current password"
        required
        error={errors.currentPassword?.message}
        aside={
          <Link
            to="/forgot-password"
            className="text-xs font-medium text-primary underline-offset-2 hover:underline"
          >
            Forgot password?
          </Link>
        }
      >
        <PasswordInput {...register('currentPassword')} autoComplete="current-password" />
      </Field>
      <Field
        label="New password"
        required
        hint={`At least ${PASSWORD.min} characters`}
        error={errors.password?.message}
      >
        <PasswordInput {...register('password')} autoComplete="new-password" />
      </Field>
      <FormProblem text={problem} />
      <div>
        <Button type="submit" loading={isSubmitting}>
          Change password
        </Button>
      </div>
    </form>
  );
}

/**
 * The address of the account: whether it is proven, the way to prove it, and the way to another one, which counts only once
 * it is proven too.
 */
import { zodResolver } from '@hookform/resolvers/zod';
import { MailCheck, MailWarning } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'react-router';
import { z } from 'zod';
import type { User } from '#shared/accounts/user.ts';
import { email } from '#shared/define/fields.ts';
import { pathTo } from '#shared/pages.ts';
import { useStepUp } from '#client/accounts/step-up.tsx';
import { useEmailChange } from '#client/accounts/use-email-change.ts';
import { useRefusal } from '#client/accounts/use-refusal.ts';
import { api } from '#client/api/session-client.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Input } from '#client/ui/input.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';

const schema = z.object({ email });
type Wanted = z.input<typeof schema>;

/** The way to the code, and back to this page. */
function useProofLink(): string {
  const { pathname } = useLocation();
  return `${pathTo('verify_email', {})}?redirect=${encodeURIComponent(pathname)}`;
}

function Present({ user }: { user: User }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <span className="min-w-0 wrap-anywhere">{user.email}</span>
      {user.emailVerified ? (
        <Badge tone="primary" icon={<MailCheck />}>
          Confirmed
        </Badge>
      ) : (
        <Badge tone="warning" icon={<MailWarning />}>
          Not confirmed
        </Badge>
      )}
    </div>
  );
}

function WaitingChange({ to, onCancelled }: { to: string; onCancelled: () => Promise<void> }) {
  const proofLink = useProofLink();
  const { busy, run } = useBusy();
  const cancel = () =>
    run(async () => {
      await api('auth.cancel_email_change', {});
      await onCancelled();
      showToast({ title: 'Change of address cancelled', kind: 'success' });
    });
  return (
    <div className="flex flex-col gap-3 rounded-card border border-line p-3">
      <p>
        <strong className="font-medium wrap-anywhere">{to}</strong> replaces it once you enter the code that
        was mailed there.
      </p>
      <div className="flex flex-wrap gap-2">
        <LinkButton to={proofLink} variant="primary">
          Enter code
        </LinkButton>
        <Button loading={busy} onClick={() => void cancel()}>
          Cancel change
        </Button>
      </div>
    </div>
  );
}

function ChangeForm({ onAsked, onClose }: { onAsked: () => Promise<void>; onClose: () => void }) {
  const { act, dialog } = useStepUp();
  const { problem, attempt } = useRefusal();
  const { register, handleSubmit, formState, setError } = useForm<Wanted>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { email: '' },
  });
  const send = handleSubmit((body) =>
    attempt(
      async () => {
        await act(() => api('auth.update', { body }));
        await onAsked();
        onClose();
      },
      { email: (message) => setError('email', { message }) },
    ),
  );
  return (
    <>
      <form noValidate method="post" onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        <Field
          label="New e-mail address"
          hint="Gets a mail with a code. Until you enter it, nothing changes."
          error={formState.errors.email?.message}
          required
        >
          <Input {...register('email')} type="email" autoComplete="email" />
        </Field>
        <FormProblem text={problem} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" loading={formState.isSubmitting}>
            Send code
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
      {dialog}
    </>
  );
}

/** The address with what can be done about it. */
export function EmailRow({ user }: { user: User }) {
  const proofLink = useProofLink();
  const { change, load } = useEmailChange();
  const [isChanging, setChanging] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      <Present user={user} />
      {!user.emailVerified && (
        <p className="text-ink-muted">
          Confirm this address to create API keys and to publish spaces and threads.
        </p>
      )}
      {change && <WaitingChange to={change.email} onCancelled={load} />}
      {isChanging ? (
        <ChangeForm onAsked={load} onClose={() => setChanging(false)} />
      ) : (
        <div className="flex flex-wrap gap-2 empty:hidden">
          {!user.emailVerified && !change && (
            <LinkButton to={proofLink} variant="primary">
              Confirm address
            </LinkButton>
          )}
          {!change && <Button onClick={() => setChanging(true)}>Change address</Button>}
        </div>
      )}
    </div>
  );
}

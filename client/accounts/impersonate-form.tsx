/** The form for an account and a reason; opens the account in this window. The person is notified of it afterwards. */
import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { IMPERSONATION } from '#shared/accounts/limits.ts';
import { pathTo } from '#shared/pages.ts';
import { useStepUp } from '#client/accounts/step-up.tsx';
import { useRefusal } from '#client/accounts/use-refusal.ts';
import { api } from '#client/api/session-client.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Input } from '#client/ui/input.tsx';
import { Textarea } from '#client/ui/textarea.tsx';

const MINUTES = IMPERSONATION.sessionMs / 60_000;

export function ImpersonateForm() {
  const { act, dialog } = useStepUp();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [reason, setReason] = useState('');
  const { problem, busy, attempt } = useRefusal();
  const open = () =>
    attempt(async () => {
      const { result } = await act(() => api('impersonation.create', { body: { email, reason } }));
      await navigate(`${pathTo('impersonate', {})}?code=${encodeURIComponent(result.code)}`);
    });
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) void open();
  };
  return (
    <form noValidate method="post" onSubmit={handleSubmit} className="flex flex-col gap-4">
      <p className="text-ink-muted">
        You see and edit what the person can for {MINUTES} minutes. The person is notified when you leave and
        reads your reason, and their workspaces record everything you open.
      </p>
      <Field label="E-mail address of the account" required>
        <Input
          type="email"
          value={email}
          autoComplete="off"
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field
        label="Reason"
        hint={`The person reads this. At least ${IMPERSONATION.reasonMin} characters.`}
        required
      >
        <Textarea
          value={reason}
          minRows={2}
          maxLength={IMPERSONATION.reasonMax}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <FormProblem text={problem} />
      <div>
        <Button
          type="submit"
          variant="primary"
          loading={busy}
          disabled={email === '' || reason.trim().length < IMPERSONATION.reasonMin}
        >
          View account
        </Button>
      </div>
      {dialog}
    </form>
  );
}

/** The second step of a log-in: a code of the authenticator app, or a recovery code. */
import { useState, type FormEvent } from 'react';
import type { WithCode } from '#client/accounts/use-sign-in.ts';
import { CardForm } from '#client/ui/card-form.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { Input } from '#client/ui/input.tsx';

/** `submit` returns the sentence to show when the code was refused. */
export function SecondFactorForm({ submit }: { submit: WithCode }) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    setProblem(await submit(code));
    setBusy(false);
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (code.trim().length < 6) setProblem('Enter a code');
    else void send();
  };
  return (
    <FormCard title="Enter a code" lead="From your authenticator app, or one of your recovery codes.">
      <CardForm onSubmit={handleSubmit} submit="Log in" busy={busy}>
        <Field label="Code" error={problem} required>
          <Input
            value={code}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => {
              setProblem(undefined);
              setCode(event.target.value);
            }}
          />
        </Field>
      </CardForm>
    </FormCard>
  );
}

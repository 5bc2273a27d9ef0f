/** The second step of a log-in: a code of the authenticator app, or a recovery code. */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { WithCode } from '#client/accounts/use-sign-in.ts';
import { Button } from '#client/ui/button.tsx';
import { focusFirstField } from '#client/ui/first-field.ts';
import { Field } from '#client/ui/field.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { Input } from '#client/ui/input.tsx';

/** `submit` returns the sentence to show when the code was refused. */
export function SecondFactorForm({ submit }: { submit: WithCode }) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The form replaces another one, whose focus would be lost.
  useEffect(() => field.current?.focus(), []);
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
      <form
        ref={focusFirstField}
        noValidate
        method="post"
        onSubmit={handleSubmit}
        className="flex flex-col gap-4"
      >
        <Field label="Code" error={problem} required>
          <Input
            value={code}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            ref={field}
            onChange={(event) => {
              setProblem(undefined);
              setCode(event.target.value);
            }}
          />
        </Field>
        <Button type="submit" variant="primary" size="lg" block loading={busy}>
          Log in
        </Button>
      </form>
    </FormCard>
  );
}

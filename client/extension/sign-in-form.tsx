/** The server and the button that opens its log-in. */
import { useState } from 'react';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { serverOrigin } from './quote.ts';

interface SignInFormProps {
  server: string;
  onSignIn: (server: string) => Promise<void>;
}

export function SignInForm({ server, onSignIn }: SignInFormProps) {
  const [address, setAddress] = useState(server);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const signIn = async () => {
    setProblem(undefined);
    try {
      const origin = serverOrigin(address);
      setBusy(true);
      await onSignIn(origin);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void signIn();
      }}
    >
      <Field
        label="Server"
        hint="A window opens, in which you log in and choose the workspace to save into."
        error={problem}
      >
        <Input
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Button type="submit" variant="primary" block loading={isBusy}>
        Sign in
      </Button>
    </form>
  );
}

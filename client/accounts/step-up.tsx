/**
 * Asks people to confirm their identity where the server requires it: a call is tried, and after the response "confirmation
 * required" it is tried once more when the person has confirmed.
 */
import { KeyRound } from 'lucide-react';
import { useState, type ChangeEvent, type FormEvent } from 'react';
import { PROVIDER_LABELS, type ProviderName } from '#shared/accounts/identity-providers.ts';
import type { SessionProof } from '#shared/accounts/session-proof.ts';
import { SESSION } from '#shared/accounts/limits.ts';
import { HOUR_MS } from '#shared/constants.ts';
import { answerWithPasskey, hasPasskeys, passkeyProblem } from '#client/accounts/passkey-browser.ts';
import { beginTrip } from '#client/accounts/provider-trip.ts';
import { refusedField, refusalText } from '#client/accounts/use-sign-in.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { useResult } from '#client/api/use-result.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Input } from '#client/ui/input.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

/** Thrown when the person closed the question instead of answering it. */
export class StepUpCancelled extends Error {
  /** The name that every deliberately cancelled call has, so that no error is shown. */
  override readonly name = 'AbortError';
}

interface Waiting {
  confirmed: () => void;
  cancelled: () => void;
}

/** `act` runs a call and asks for a confirmation when the server requires one; render `dialog` in the page. */
export function useStepUp() {
  const [waiting, setWaiting] = useState<Waiting>();
  /** @throws StepUpCancelled, or what the call throws */
  const act = async <T,>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (failure) {
      const isWanted = failure instanceof ApiProblem && failure.error.code === 'confirmation_required';
      if (!isWanted) throw failure;
      await new Promise<void>((confirmed, refused) => {
        setWaiting({ confirmed, cancelled: () => refused(new StepUpCancelled()) });
      });
      return call();
    }
  };
  const dialog = waiting && (
    <Question
      onConfirmed={() => {
        setWaiting(undefined);
        waiting.confirmed();
      }}
      onCancel={() => {
        setWaiting(undefined);
        waiting.cancelled();
      }}
    />
  );
  return { act, dialog };
}

function Question({ onConfirmed, onCancel }: { onConfirmed: () => void; onCancel: () => void }) {
  /** The methods of this account; a password until the server has responded. */
  const { known } = useResult('auth.ways_in', {});
  const ways = known.state === 'here' ? known.value : undefined;
  const [problem, setProblem] = useState<string>();
  const { busy, run } = useBusy();
  const confirm = async (proof: SessionProof) => {
    await api('auth.confirm', { body: proof });
    onConfirmed();
  };
  const withPasskey = () =>
    run(async () => {
      setProblem(undefined);
      try {
        const { result } = await api('auth.confirm_options', {});
        await confirm({ passkey: await answerWithPasskey(result) });
      } catch (failure) {
        console.info('step-up: the passkey did not confirm', failure);
        setProblem(passkeyProblem(failure));
      }
    });
  const provider = ways?.providers.find(({ connected, available }) => connected && available)?.provider;
  const atProvider = (name: ProviderName) => {
    const { pathname, search } = globalThis.location;
    const trip = { provider: name, purpose: 'confirm' as const, from: pathname + search, invite: undefined };
    void run(() => beginTrip(trip));
  };
  const hasPasskey = (ways?.passkeys ?? 0) > 0 && hasPasskeys();
  return (
    <Dialog
      open
      onOpenChange={onCancel}
      title="Confirm that it is you"
      description={`You logged in more than ${SESSION.confirmedMs / HOUR_MS} hours ago.`}
      size="sm"
    >
      <div className="flex flex-col gap-4">
        {hasPasskey && (
          <Button
            block
            loading={busy}
            icon={<KeyRound className="size-4" />}
            onClick={() => void withPasskey()}
          >
            Use a passkey
          </Button>
        )}
        {provider !== undefined && (
          <Button block loading={busy} onClick={() => atProvider(provider)}>
            Continue with {PROVIDER_LABELS[provider]}
          </Button>
        )}
        <FormProblem text={problem} />
        {ways?.secondFactor === true && (
          <ProofForm label="Code of your authenticator app" kind="code" confirm={confirm} />
        )}
        {ways?.password !== false && <ProofForm label="Password" kind="password" confirm={confirm} />}
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </Dialog>
  );
}

interface ProofFormProps {
  label: string;
  kind: 'password' | 'code';
  confirm: (proof: SessionProof) => Promise<void>;
}

function ProofForm({ label, kind, confirm }: ProofFormProps) {
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await confirm(kind === 'password' ? { password: typed } : { code: typed });
    } catch (failure) {
      setRefusal(refusedField(failure)?.text);
      if (refusedField(failure) === undefined) setProblem(refusalText(failure));
      setBusy(false);
    }
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== '' && !busy) void send();
  };
  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    setRefusal(undefined);
    setTyped(event.target.value);
  };
  return (
    <form noValidate method="post" onSubmit={handleSubmit} className="flex flex-col gap-4">
      <Field label={label} error={refusal} required>
        {kind === 'password' ? (
          <PasswordInput value={typed} autoComplete="current-password" onChange={handleChange} />
        ) : (
          <Input value={typed} autoComplete="one-time-code" spellCheck={false} onChange={handleChange} />
        )}
      </Field>
      <FormProblem text={problem} />
      <Button type="submit" variant="primary" block disabled={typed === ''} loading={busy}>
        {kind === 'password' ? 'Confirm' : 'Confirm with code'}
      </Button>
    </form>
  );
}

/** The log-in methods other than the password, below the form for log-in or sign-up. */
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { PROVIDER_LABELS, type ProviderName } from '#shared/accounts/identity-providers.ts';
import { answerWithPasskey, hasPasskeys, passkeyProblem } from '#client/accounts/passkey-browser.ts';
import { beginTrip } from '#client/accounts/provider-trip.ts';
import type { Arrival } from '#client/accounts/use-arrival.ts';
import { publicApi } from '#client/api/session-client.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Button } from '#client/ui/button.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';

interface OtherWaysInProps {
  providers: readonly ProviderName[];
  invite: string | undefined;
  /** Log-ins only: an account has a passkey once it exists. */
  onPasskey?: (signedIn: Arrival['signedIn']) => Promise<void>;
}

function Or() {
  return (
    <div className="my-5 flex items-center gap-3 text-xs text-ink-muted">
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      or
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
    </div>
  );
}

function ProviderButton({ provider, invite }: { provider: ProviderName; invite: string | undefined }) {
  const { busy, run } = useBusy();
  const leave = () => {
    const { pathname, search } = globalThis.location;
    void run(() => beginTrip({ provider, purpose: 'sign-in', from: pathname + search, invite }));
  };
  return (
    <Button size="lg" block loading={busy} onClick={leave}>
      Continue with {PROVIDER_LABELS[provider]}
    </Button>
  );
}

function PasskeyButton({ onPasskey }: { onPasskey: NonNullable<OtherWaysInProps['onPasskey']> }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const enter = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const options = await publicApi('auth.passkey_options', {});
      const response = await answerWithPasskey(options.result);
      await onPasskey((await publicApi('auth.passkey', { body: { response } })).result);
    } catch (failure) {
      console.info('passkey: the log-in ended', failure);
      setProblem(passkeyProblem(failure));
    }
    setBusy(false);
  };
  return (
    <>
      <Button
        size="lg"
        block
        loading={busy}
        icon={<KeyRound className="size-4" />}
        onClick={() => void enter()}
      >
        Use a passkey
      </Button>
      <FormProblem text={problem} />
    </>
  );
}

/** Nothing where there is no other way. */
export function OtherWaysIn({ providers, invite, onPasskey }: OtherWaysInProps) {
  const withPasskey = onPasskey !== undefined && hasPasskeys();
  if (providers.length === 0 && !withPasskey) return null;
  return (
    <>
      <Or />
      <div className="flex flex-col gap-3">
        {withPasskey && <PasskeyButton onPasskey={onPasskey} />}
        {providers.map((provider) => (
          <ProviderButton key={provider} provider={provider} invite={invite} />
        ))}
      </div>
    </>
  );
}

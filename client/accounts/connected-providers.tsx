/** Accounts at identity providers that open this one: connecting and disconnecting them. */
import { useState } from 'react';
import { PROVIDER_LABELS, type ProviderName } from '#shared/accounts/identity-providers.ts';
import type { WaysIn } from '#shared/accounts/sign-in-endpoints.ts';
import { beginTrip } from '#client/accounts/provider-trip.ts';
import { useStepUp } from '#client/accounts/step-up.tsx';
import { api } from '#client/api/session-client.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';

type Known = WaysIn['providers'][number];

interface ConnectedProvidersProps {
  providers: readonly Known[];
  onChanged: () => Promise<void>;
}

function ProviderRow({ provider, connected, onChanged }: Known & { onChanged: () => Promise<void> }) {
  const { act, dialog } = useStepUp();
  const { busy, run } = useBusy();
  const [asking, setAsking] = useState(false);
  const label = PROVIDER_LABELS[provider];
  const connect = (name: ProviderName) => {
    const { pathname } = globalThis.location;
    void run(() => beginTrip({ provider: name, purpose: 'connect', from: pathname, invite: undefined }));
  };
  const disconnect = async () => {
    setAsking(false);
    await run(async () => {
      await act(() => api('auth.disconnect', { params: { provider } }));
      showToast({ kind: 'success', title: `${label} disconnected` });
    }, onChanged);
  };
  return (
    <li className="flex items-center gap-3 py-2.5">
      <span className="flex min-w-0 flex-1 items-center gap-3">
        {label}
        {connected && <Badge tone="primary">Connected</Badge>}
      </span>
      {connected ? (
        <Button size="sm" loading={busy} aria-label={`Disconnect ${label}`} onClick={() => setAsking(true)}>
          Disconnect
        </Button>
      ) : (
        <Button size="sm" loading={busy} aria-label={`Connect ${label}`} onClick={() => connect(provider)}>
          Connect
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Disconnect ${label}?`}
        confirm="Disconnect"
        busy={busy}
        onConfirm={() => void disconnect()}
      >
        Logging in with {label} will no longer open this account, and you are logged out on every other
        device.
      </ConfirmDialog>
      {dialog}
    </li>
  );
}

export function ConnectedProviders({ providers, onChanged }: ConnectedProvidersProps) {
  return (
    <ul className="divide-y divide-line/60">
      {providers.map((known) => (
        <ProviderRow key={known.provider} {...known} onChanged={onChanged} />
      ))}
    </ul>
  );
}

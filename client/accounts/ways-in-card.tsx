/** How the person logs in: password, connected providers, passkeys, and the second factor. The server stores all of it. */
import type { ReactNode } from 'react';
import type { Passkey } from '#shared/accounts/second-factor-endpoints.ts';
import type { WaysIn } from '#shared/accounts/sign-in-endpoints.ts';
import { ConnectedProviders } from '#client/accounts/connected-providers.tsx';
import { PasskeyList } from '#client/accounts/passkey-list.tsx';
import { PasswordForm } from '#client/accounts/password-card.tsx';
import { SecondFactor } from '#client/accounts/second-factor-card.tsx';
import { api } from '#client/api/session-client.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { useLoaded } from '#client/shell/use-loaded.ts';
import { LinkButton } from '#client/ui/link-button.tsx';

const isOffered = ({ connected, available }: WaysIn['providers'][number]) => connected || available;

function Part({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <div>
        <h3 className="font-medium">{title}</h3>
        <p className="mt-0.5 text-ink-muted">{lead}</p>
      </div>
      {children}
    </div>
  );
}

interface Known {
  ways: WaysIn;
  passkeys: readonly Passkey[];
}

const USUAL: Known = {
  ways: { password: true, providers: [], passkeys: 0, secondFactor: false, recoveryCodes: 0 },
  passkeys: [],
};

async function fetchWays(): Promise<Known> {
  const [{ result: ways }, { result: passkeys }] = await Promise.all([
    api('auth.ways_in', {}),
    api('passkey.list', {}),
  ]);
  return { ways, passkeys };
}

/** Everything about logging in, in one section. */
export function WaysInCard({ email }: { email: string }) {
  const { known, load } = useLoaded(fetchWays);
  return (
    <LoadedList known={known} what="how you log in" usual={USUAL} onRetry={() => void load()}>
      {({ ways, passkeys }) => (
        <div className="flex flex-col gap-8">
          {ways.password ? (
            <Part title="Password" lead="Changing it logs you out on every other device.">
              <PasswordForm email={email} />
            </Part>
          ) : (
            <Part title="Password" lead="Your account has no password.">
              <div>
                <LinkButton to="/forgot-password">Set a password</LinkButton>
              </div>
            </Part>
          )}
          <Part
            title="Passkeys"
            lead="Log in with your fingerprint, face, or screen lock instead of a password."
          >
            <PasskeyList passkeys={passkeys} onChanged={load} />
          </Part>
          {ways.providers.some(isOffered) && (
            <Part title="Connected accounts" lead="Log in with an account you have elsewhere.">
              <ConnectedProviders providers={ways.providers.filter(isOffered)} onChanged={load} />
            </Part>
          )}
          <Part
            title="Authenticator app"
            lead="Logging in also asks for a code of an app on your phone. Passkeys need no code."
          >
            <SecondFactor ways={ways} onChanged={load} />
          </Part>
        </div>
      )}
    </LoadedList>
  );
}

/** How the person logs in: password, connected providers, passkeys, and the second factor. All of it is the server's. */
import type { ReactNode } from 'react';
import { ConnectedProviders } from '#client/accounts/connected-providers.tsx';
import { PasskeyList } from '#client/accounts/passkey-list.tsx';
import { PasswordForm } from '#client/accounts/password-card.tsx';
import { SecondFactor } from '#client/accounts/second-factor-card.tsx';
import { useWaysIn } from '#client/accounts/use-ways-in.ts';
import { Button } from '#client/ui/button.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

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

/** Everything about logging in, in one section. */
export function WaysInCard({ email }: { email: string }) {
  const { known, load } = useWaysIn();
  if (known.state === 'loading') {
    return (
      <SkeletonGroup label="Loading how you log in">
        <Skeleton className="h-24 w-full" />
      </SkeletonGroup>
    );
  }
  if (known.state === 'unreachable') {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-muted">Could not load how you log in.</p>
        <Button size="sm" onClick={() => void load()}>
          Try again
        </Button>
      </div>
    );
  }
  const { ways, passkeys } = known;
  const providers = ways.providers.filter(({ connected, available }) => connected || available);
  return (
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
      <Part title="Passkeys" lead="Log in with your fingerprint, face, or screen lock instead of a password.">
        <PasskeyList passkeys={passkeys} onChanged={load} />
      </Part>
      {providers.length > 0 && (
        <Part title="Connected accounts" lead="Log in with an account you have elsewhere.">
          <ConnectedProviders providers={providers} onChanged={load} />
        </Part>
      )}
      <Part
        title="Authenticator app"
        lead="Logging in also asks for a code of an app on your phone. Passkeys need no code."
      >
        <SecondFactor ways={ways} onChanged={load} />
      </Part>
    </div>
  );
}

/**
 * Where the person is logged in, with a button to end other sessions. Read from the server at every visit. The user menu logs
 * out of this device, because that may need a confirmation.
 */
import { Monitor, Smartphone } from 'lucide-react';
import type { ResultOf } from '#shared/define/endpoint.ts';
import type { accountEndpoints } from '#shared/accounts/endpoints.ts';
import { newId } from '#shared/ids.ts';
import { deviceName, isPhone } from '#shared/accounts/device-name.ts';
import { api } from '#client/api/session-client.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { useLoaded } from '#client/shell/use-loaded.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

type Session = Pick<
  ResultOf<(typeof accountEndpoints)['session.get']>,
  'id' | 'userAgent' | 'updated' | 'current'
>;

const fetchSessions = async (): Promise<readonly Session[]> =>
  (await api('session.list', { query: { perPage: 100 } })).result;

function thisSession(): Session {
  const updated = new Date().toISOString();
  return { id: newId('session'), userAgent: navigator.userAgent, updated, current: true };
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const name = deviceName(session.userAgent);
  const Icon = isPhone(session.userAgent) ? Smartphone : Monitor;
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{name}</span>
        <span className="block text-xs text-ink-muted">
          Last used <RelativeTime at={session.updated} />
        </span>
      </span>
      {session.current ? (
        <Badge tone="primary">This device</Badge>
      ) : (
        <Button size="sm" aria-label={`Log out ${name}`} onClick={onEnd}>
          Log out
        </Button>
      )}
    </li>
  );
}

/** The list, and one button for all of the others. */
export function SessionsCard() {
  const { known, load } = useLoaded(fetchSessions);
  const { busy, run } = useBusy();
  const end = (sessions: readonly Session[]) =>
    run(async () => {
      for (const { id } of sessions) await api('session.remove', { params: { id } });
      showToast({
        kind: 'success',
        title: sessions.length === 1 ? 'Logged out' : `Logged out on ${sessions.length} devices`,
      });
    }, load);
  return (
    <LoadedList known={known} what="your sessions" usual={[thisSession()]} onRetry={() => void load()}>
      {(sessions) => (
        <>
          <ul className="divide-y divide-line/60">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => void end([session])} />
            ))}
          </ul>
          {sessions.some(({ current }) => !current) && (
            <div>
              <Button loading={busy} onClick={() => void end(sessions.filter(({ current }) => !current))}>
                Log out everywhere else
              </Button>
              <p className="mt-2 text-xs text-ink-muted">
                Unsent changes stay on the other device until you log in there again.
              </p>
            </div>
          )}
        </>
      )}
    </LoadedList>
  );
}

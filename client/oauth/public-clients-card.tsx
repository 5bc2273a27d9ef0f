/** Public OAuth clients for staff: what each says of itself, where it sends people, and whether it is verified. */
import type { ResultOf } from '#shared/define/endpoint.ts';
import type { oauthEndpoints } from '#shared/oauth/endpoints.ts';
import { api } from '#client/api/session-client.ts';
import { useResult } from '#client/api/use-result.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

type PublicClient = ResultOf<(typeof oauthEndpoints)['public_client.list']>[number];

function ClientRow({ client, onChange }: { client: PublicClient; onChange: () => Promise<void> }) {
  const { id, name, identifier, websiteUrl, redirectUris, verified, created, lastUsedAt } = client;
  const { busy, run } = useBusy();
  const verify = () =>
    run(async () => {
      await api('public_client.verify', { params: { id }, body: { verified: !verified } });
      showToast({ kind: 'success', title: verified ? `${name} is unverified` : `${name} is verified` });
    }, onChange);
  return (
    <li className="flex flex-wrap items-start gap-3 py-4">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere">{name}</span>
          <Badge tone={verified ? 'primary' : 'warning'}>{verified ? 'Verified' : 'Unverified'}</Badge>
        </p>
        <p className="text-xs leading-5 wrap-anywhere text-ink-muted">{websiteUrl ?? identifier}</p>
        <p className="text-xs leading-5 wrap-anywhere text-ink-muted">
          Sends people to {redirectUris.join(', ')}
        </p>
        <p className="text-xs leading-5 text-ink-muted">
          Registered <RelativeTime at={created} />
          {lastUsedAt === null ? (
            ', never used'
          ) : (
            <>
              , last connected <RelativeTime at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <Button
        size="sm"
        loading={busy}
        aria-label={verified ? `Withdraw verification of ${name}` : `Verify ${name}`}
        onClick={() => void verify()}
      >
        {verified ? 'Withdraw verification' : 'Verify'}
      </Button>
    </li>
  );
}

/** Read at every visit. */
export function PublicClientsCard() {
  const { known, load } = useResult('public_client.list', { query: { perPage: 100 } });
  return (
    <LoadedList known={known} what="the apps" usual={[]} onRetry={() => void load()}>
      {(clients) =>
        clients.length === 0 ? (
          <p className="text-ink-muted">No app has registered itself.</p>
        ) : (
          <ul aria-label="Apps" className="divide-y divide-line/60">
            {clients.map((client) => (
              <ClientRow key={client.id} client={client} onChange={load} />
            ))}
          </ul>
        )
      }
    </LoadedList>
  );
}

/**
 * Who asks on the consent page, and whether it is verified: staff for everyone, or the owners of the workspace that the
 * client belongs to, which counts only where that workspace is the one being connected.
 */
import { BadgeCheck, TriangleAlert } from 'lucide-react';
import type { Person } from '#client/api/session.ts';
import type { ConsentRequest } from '#client/oauth/consent-request.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge } from '#client/ui/badge.tsx';

interface ClientIdentityProps {
  request: Pick<ConsentRequest, 'client' | 'redirectTarget' | 'verifiedIn'>;
  workspace: Pick<Person['workspaces'][number], 'id' | 'name'> | undefined;
}

export function ClientIdentity({
  request: { client, redirectTarget, verifiedIn },
  workspace,
}: ClientIdentityProps) {
  const owners = workspace?.id === verifiedIn ? workspace?.name : undefined;
  const isVerified = client.verified || owners !== undefined;
  const site = client.websiteUrl === null ? undefined : URL.parse(client.websiteUrl)?.host;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Avatar name={client.name} seed={client.id} size="lg" square />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 font-semibold wrap-anywhere">{client.name}</span>
            {isVerified ? (
              <Badge tone="primary" icon={<BadgeCheck aria-hidden="true" />}>
                {client.verified ? 'Verified' : `Verified by the owners of ${owners}`}
              </Badge>
            ) : (
              <Badge tone="warning">Unverified</Badge>
            )}
          </span>
          {site !== undefined && client.websiteUrl !== null && (
            <a
              href={client.websiteUrl}
              target="_blank"
              rel="noopener noreferrer"
              className="block truncate text-ink-muted hover:underline"
            >
              {site}
            </a>
          )}
        </span>
      </div>
      {client.description !== null && <p className="text-ink-muted">{client.description}</p>}
      {!isVerified && (
        <p className="flex items-start gap-2 rounded-control bg-warning-soft px-3 py-2 text-warning">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">
            Loci has not verified this app. Continue only if you opened it yourself and trust{' '}
            <strong className="wrap-anywhere">{redirectTarget}</strong>.
          </span>
        </p>
      )}
    </div>
  );
}

/**
 * `/{workspace_slug}/settings/members`: who is in the workspace, to read. From the replica, so also offline; addresses
 * come from the server for those who may see them. Inviting people and changing positions have no screen yet.
 */
import { useEffect, useState } from 'react';
import { displayName } from '#shared/accounts/display-name.ts';
import type { Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { SettingsFrame, SettingsSection } from '#client/workspaces/settings-frame.tsx';
import { useActor, useCan, useWorkspace } from '#client/workspaces/queries.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge } from '#client/ui/badge.tsx';

const MEANING: Readonly<Record<Position, string>> = {
  owner: 'everything, also the address and the end of the workspace',
  admin: 'everything but the address and the end of the workspace',
  member: 'saves, edits and deletes what is their own, and edits what the workspace shares',
  'read-only': 'reads and searches',
};

interface Emails {
  byUser: ReadonlyMap<string, string>;
  /** The server was asked and could not be reached. */
  missing: boolean;
}

/** Addresses by user, as far as the server tells them; asked for again when the network is back. */
function useEmails(workspaceId: Id<'workspace'> | undefined, wanted: boolean): Emails {
  const [emails, setEmails] = useState<Emails>({ byUser: new Map(), missing: false });
  const isOnline = useIsOnline();
  useEffect(() => {
    if (workspaceId === undefined || !wanted) return undefined;
    let isCurrent = true;
    api('workspace_member.list', { params: { workspaceId }, query: { perPage: 100 } }).then(
      ({ result }) => {
        const known = result.flatMap(({ userId, email }) => (email ? [[userId, email] as const] : []));
        if (isCurrent) setEmails({ byUser: new Map(known), missing: false });
      },
      (failure: unknown) => {
        console.info('settings: addresses of members are not here', failure);
        // Those that came earlier stay.
        if (isCurrent) setEmails(({ byUser }) => ({ byUser, missing: byUser.size === 0 }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [workspaceId, wanted, isOnline]);
  return emails;
}

/** The page. */
export function MembersPage() {
  const members = useQuery((view) => view.list('workspace_member'), []);
  const { userId, position: own } = useActor();
  const can = useCan();
  const emails = useEmails(useWorkspace()?.id, can('member.read_email'));
  return (
    <SettingsFrame title="Members">
      <SettingsSection
        title={members.length === 1 ? '1 member' : `${members.length} members`}
        lead="Inviting people and changing positions comes with a later version; until then this is a list to read."
      >
        <ul className="divide-y divide-line/60">
          {members.map((member) => (
            <li key={member.id} className="flex items-center gap-3 py-2.5">
              <Avatar name={displayName(member)} seed={member.userId} />
              <span className="min-w-0 flex-1">
                <span className="block truncate">
                  {displayName(member)}
                  {member.userId === userId && <span className="text-ink-muted"> (you)</span>}
                </span>
                <span className="block truncate text-xs text-ink-muted empty:hidden">
                  {emails.byUser.get(member.userId)}
                </span>
              </span>
              <Badge tone={member.position === 'owner' ? 'primary' : 'neutral'}>{member.position}</Badge>
            </li>
          ))}
        </ul>
        {emails.missing && (
          <output className="mb-2 block text-xs text-ink-muted">
            E-mail addresses are shown when there is a network.
          </output>
        )}
        {own !== 'guest' && (
          <p className="text-xs text-ink-muted">
            Your position: {own}. It means: {MEANING[own]}.
          </p>
        )}
      </SettingsSection>
    </SettingsFrame>
  );
}

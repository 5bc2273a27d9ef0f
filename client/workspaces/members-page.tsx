/**
 * `/{workspace_slug}/settings/members`: who is in the workspace and in which position, inviting, and leaving. The list is
 * read from the replica, so also offline; addresses and invitations come from the server for those who may see them.
 */
import { useEffect, useState } from 'react';
import type { Id } from '#shared/ids.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { InvitePeople } from '#client/workspaces/invite-people.tsx';
import { LeaveWorkspace } from '#client/workspaces/leave-workspace.tsx';
import { MemberRow } from '#client/workspaces/member-row.tsx';
import { POSITION_LABELS, POSITION_MEANINGS } from '#client/workspaces/position-words.ts';
import { SettingsFrame, SettingsSection } from '#client/workspaces/settings-frame.tsx';
import { useActor, useCan, useWorkspace } from '#client/workspaces/queries.ts';

interface Emails {
  byUser: ReadonlyMap<string, string>;
  /** The server was asked and could not be reached. */
  missing: boolean;
}

/** Addresses by user, as far as the server tells them; asked for again when the network is back or the members change. */
function useEmails(
  workspaceId: Id<'workspace'> | undefined,
  { wanted, members }: { wanted: boolean; members: number },
): Emails {
  const [emails, setEmails] = useState<Emails>({ byUser: new Map(), missing: false });
  const isOnline = useIsOnline();
  useEffect(() => {
    if (workspaceId === undefined || !wanted) return undefined;
    let isCurrent = true;
    fetchEmails(workspaceId).then(
      (byUser) => {
        if (isCurrent) setEmails({ byUser, missing: false });
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
  }, [workspaceId, wanted, members, isOnline]);
  return emails;
}

async function fetchEmails(workspaceId: Id<'workspace'>): Promise<ReadonlyMap<string, string>> {
  const byUser = new Map<string, string>();
  for (let page = 1; ; page += 1) {
    const query = { perPage: 100, page };
    const { result } = await api('workspace_member.list', { params: { workspaceId }, query });
    for (const { userId, email } of result) if (email) byUser.set(userId, email);
    if (result.length < query.perPage) return byUser;
  }
}

/** The page. */
export function MembersPage() {
  const members = useQuery((view) => view.list('workspace_member'), []);
  const { position: own } = useActor();
  const can = useCan();
  const workspace = useWorkspace();
  const emails = useEmails(workspace?.id, { wanted: can('member.read_email'), members: members.length });
  return (
    <SettingsFrame title="Members">
      <SettingsSection
        title={members.length === 1 ? '1 member' : `${members.length} members`}
        lead="The people who can open this workspace."
      >
        <ul aria-label="Members" className="divide-y divide-line/60">
          {members.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              workspace={workspace}
              email={emails.byUser.get(member.userId)}
            />
          ))}
        </ul>
        {emails.missing && (
          <output className="mb-2 block text-xs text-ink-muted">
            E-mail addresses are shown when you are online.
          </output>
        )}
        {own !== 'guest' && (
          <p className="text-xs text-ink-muted">
            Your position: {POSITION_LABELS[own]}. {POSITION_MEANINGS[own]}
          </p>
        )}
      </SettingsSection>
      {workspace && can('invite.read') && (
        <SettingsSection
          title="Invite people"
          lead="They receive a mail with a link that works for seven days."
        >
          <InvitePeople workspace={workspace} members={members.length} />
        </SettingsSection>
      )}
      {workspace && own !== 'guest' && (
        <SettingsSection title="Leave the workspace">
          <LeaveWorkspace workspace={workspace} />
        </SettingsSection>
      )}
    </SettingsFrame>
  );
}

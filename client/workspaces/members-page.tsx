/**
 * `/{workspace_slug}/settings/members`: who is in the workspace and in which position, inviting, and leaving. The list is
 * read from the replica, so also offline; addresses and invitations come from the server for those who may see them.
 */
import { useEffect, useState } from 'react';
import type { Id } from '#shared/ids.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useKnown } from '#client/replica/use-known.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { InvitePeople } from '#client/workspaces/invite-people.tsx';
import { LeaveWorkspace } from '#client/workspaces/leave-workspace.tsx';
import { MemberRow } from '#client/workspaces/member-row.tsx';
import { POSITION_LABELS, POSITION_MEANINGS } from '#client/workspaces/position-words.ts';
import { SettingsSection, WorkspaceSettings } from '#client/workspaces/settings-frame.tsx';
import { useActor, useCan } from '#client/workspaces/queries.ts';
import { countOf } from '#shared/english.ts';

interface Emails {
  byUser: ReadonlyMap<string, string>;
  /** The server could not be reached. */
  missing: boolean;
}

/** Addresses by user, as far as the server returns them; fetched again when the network is back or the members change. */
function useEmails(
  workspaceId: Id<'workspace'>,
  { wanted, members }: { wanted: boolean; members: number },
): Emails {
  const [emails, setEmails] = useState<Emails>({ byUser: new Map(), missing: false });
  const isOnline = useIsOnline();
  useEffect(() => {
    if (!wanted) return undefined;
    let isCurrent = true;
    fetchEmails(workspaceId).then(
      (byUser) => {
        if (isCurrent) setEmails({ byUser, missing: false });
      },
      (failure: unknown) => {
        console.info('settings: addresses of members are not here', failure);
        // Earlier results stay.
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

/** Keeps the line of an address that has not arrived. */
const NO_BREAK_SPACE = '\u00A0';

function Members({ workspace }: { workspace: Workspace }) {
  const members = useKnown((view) => view.list('workspace_member'), []);
  const { position: own } = useActor();
  const can = useCan();
  const wanted = can('member.read_email') === true;
  const emails = useEmails(workspace.id, { wanted, members: members?.length ?? 0 });
  if (!members) return <FirstSyncNotice />;
  return (
    <>
      <SettingsSection
        title={countOf(members.length, 'member')}
        lead="The people who can open this workspace."
      >
        <ul aria-label="Members" className="divide-y divide-line/60">
          {members.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              workspace={workspace}
              email={emails.byUser.get(member.userId) ?? (wanted ? NO_BREAK_SPACE : undefined)}
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
      {can('invite.read') && (
        <SettingsSection
          title="Invite people"
          lead="They receive a mail with a link that works for seven days."
        >
          <InvitePeople workspace={workspace} members={members.length} />
        </SettingsSection>
      )}
      <SettingsSection title="Leave the workspace">
        <LeaveWorkspace workspace={workspace} />
      </SettingsSection>
    </>
  );
}

/** The page; not found for guests. */
export function MembersPage() {
  return (
    <WorkspaceSettings title="Members" action="workspace.read">
      {(workspace) => <Members workspace={workspace} />}
    </WorkspaceSettings>
  );
}

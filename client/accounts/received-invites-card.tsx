/** Invitations that wait for the person, on the page where workspaces are created. Empty when there are none. */
import { InvitedBy } from '#client/accounts/invited-by.tsx';
import { useResult } from '#client/api/use-result.ts';
import { invitePath } from '#client/shell/invite-arrival.ts';
import { LinkButton } from '#client/ui/link-button.tsx';

export function ReceivedInvitesCard() {
  const { known } = useResult('invite.received', {});
  if (known.state !== 'here' || known.value.length === 0) return null;
  return (
    <section aria-label="Invitations" className="mb-6 border-b border-line pb-5">
      <ul className="divide-y divide-line/60">
        {known.value.map((invite) => (
          <li key={invite.id} className="flex flex-wrap items-center gap-3 py-2.5">
            <span className="min-w-48 flex-1">
              <span className="block font-medium break-words">{invite.workspaceName}</span>
              <span className="block text-xs text-ink-muted">
                <InvitedBy invite={invite} />
              </span>
            </span>
            <LinkButton
              size="sm"
              to={invitePath(invite.id)}
              aria-label={`View invitation to ${invite.workspaceName}`}
            >
              View invitation
            </LinkButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

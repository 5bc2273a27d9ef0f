/** Who invited the reader, and how: "Ann Miller (ann@example.org) invited you as a member." */
import { INVITED_AS } from '#shared/workspaces/invite.ts';
import type { OpenedInvite } from '#shared/workspaces/invite-endpoints.ts';

export function InvitedBy({ invite }: { invite: OpenedInvite }) {
  return (
    <>
      <span className="font-medium wrap-anywhere text-ink">{invite.senderName}</span> (
      <span className="wrap-anywhere">{invite.senderEmail}</span>) invited you {INVITED_AS[invite.position]}.
    </>
  );
}

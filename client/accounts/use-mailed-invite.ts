/** The invitation that led to a form of logging in or signing up, before there is a session. */
import { useCallback } from 'react';
import type { OpenedInvite } from '#shared/workspaces/invite-endpoints.ts';
import { ERRORS } from '#shared/errors.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { publicApi } from '#client/api/session-client.ts';
import { inviteToken, type InviteArrival } from '#client/shell/invite-arrival.ts';
import { useLoaded, type Loaded } from '#client/shell/use-loaded.ts';

/** `over` is an invitation that was answered, revoked or has expired; undefined where no mail led here. */
export type MailedInvite = OpenedInvite | 'over' | undefined;

export const INVITATION_OVER =
  'This invitation is no longer valid. Ask the person who sent it for a new one.';

export function useMailedInvite(arrival: InviteArrival | undefined): Loaded<MailedInvite> {
  const id = arrival?.id;
  const fetchInvite = useCallback(async (): Promise<MailedInvite> => {
    const token = id === undefined ? undefined : inviteToken(id);
    if (id === undefined || token === undefined) return undefined;
    try {
      return (await publicApi('public_invite.open', { params: { id }, body: { token } })).result;
    } catch (failure) {
      if (failure instanceof ApiProblem && failure.status === ERRORS.not_found.status) return 'over';
      throw failure;
    }
  }, [id]);
  return useLoaded(fetchInvite).known;
}

/**
 * `/onboarding/invite?invite=…`: shows an invitation, to accept or decline it. The server shows it only to the account of the
 * invited address; others see the account they are signed in to and how to switch.
 */
import { useCallback, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ERRORS } from '#shared/errors.ts';
import { isId, type Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import type { Position } from '#shared/permissions.ts';
import type { OpenedInvite } from '#shared/workspaces/invite-endpoints.ts';
import { InvitedBy } from '#client/accounts/invited-by.tsx';
import { nextStep } from '#client/accounts/next-step.ts';
import { useRefusal } from '#client/accounts/use-refusal.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { lastWorkspace, refreshPerson, rememberWorkspace, usePerson } from '#client/api/session.ts';
import { forgetInvite, invitePath, inviteToken } from '#client/shell/invite-arrival.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useResolved } from '#client/shell/use-loaded.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

type Known =
  | { state: 'loading' }
  | { state: 'unreachable' }
  | { state: 'refused'; text: string }
  | { state: 'open'; invite: OpenedInvite };

const MEANING: Readonly<Record<Position, string>> = {
  owner: 'You will be able to do everything in this workspace.',
  admin: 'You will be able to save and edit everything, and to invite members.',
  member: 'You will be able to save, and to edit what the workspace shares.',
  'read-only': 'You will be able to read and search what the workspace shares.',
};

const NO_INVITE = 'This link is incomplete. Open the link in the invitation mail again.';

function tokenOf(id: string): { token?: string } {
  const token = inviteToken(id);
  return token === undefined ? {} : { token };
}

async function look(id: Id<'invite'>): Promise<Known> {
  try {
    const { result } = await api('invite.open', { params: { id }, body: tokenOf(id) });
    return { state: 'open', invite: result };
  } catch (failure) {
    if (!(failure instanceof ApiProblem)) {
      console.info('invite: the invitation could not be read', failure);
      return { state: 'unreachable' };
    }
    const isUnknown = failure.status === ERRORS.not_found.status;
    return {
      state: 'refused',
      text: isUnknown ? 'This invitation does not exist any more.' : `${failure.error.detail}.`,
    };
  }
}

export function AcceptInvitePage() {
  const [params] = useSearchParams();
  const id = params.get('invite');
  const [tries, setTries] = useState(0);
  const inviteId = isId('invite', id) ? id : undefined;
  const open = useCallback(async () => inviteId && look(inviteId), [inviteId]);
  const found = useResolved(open, tries) ?? { state: 'loading' };
  const known: Known = inviteId === undefined ? { state: 'refused', text: NO_INVITE } : found;
  if (known.state === 'open') return <Answer invite={known.invite} />;
  if (known.state === 'loading') {
    return (
      <FormCard title="Invitation">
        <SkeletonGroup label="Loading the invitation">
          <Skeleton className="h-16 w-full" />
        </SkeletonGroup>
      </FormCard>
    );
  }
  if (known.state === 'unreachable') {
    return (
      <FormCard title="Invitation" lead="Could not load the invitation.">
        <Button size="lg" block onClick={() => setTries(tries + 1)}>
          Try again
        </Button>
      </FormCard>
    );
  }
  return <Refused text={known.text} id={id} />;
}

function Refused({ text, id }: { text: string; id: string | null }) {
  const person = usePerson();
  const isInvite = isId('invite', id);
  return (
    <FormCard title="This invitation cannot be opened" lead={text}>
      <div className="flex flex-col gap-3">
        {isInvite && person?.user.emailVerified === false && (
          <LinkButton
            variant="primary"
            size="lg"
            block
            to={`${pathTo('verify_email', {})}?redirect=${encodeURIComponent(invitePath(id))}`}
          >
            Confirm {person.user.email}
          </LinkButton>
        )}
        {isInvite && <OtherAccount id={id} />}
        {person && (
          <LinkButton size="lg" block to={nextStep(person, lastWorkspace())}>
            Continue without it
          </LinkButton>
        )}
      </div>
      <SignedInAs />
    </FormCard>
  );
}

function OtherAccount({ id }: { id: string }) {
  return (
    <LinkButton size="lg" block to={`${pathTo('login', {})}?clear=true&invite=${id}`}>
      Log in with another account
    </LinkButton>
  );
}

function SignedInAs() {
  const person = usePerson();
  if (!person) return null;
  return (
    <p className="mt-5 text-center text-xs break-words text-ink-muted">
      You are logged in as {person.user.email}.
    </p>
  );
}

function Answer({ invite }: { invite: OpenedInvite }) {
  const navigate = useNavigate();
  const person = usePerson();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const { problem, attempt } = useRefusal();
  const [isJoining, setIsJoining] = useState(false);
  if (invite.status !== 'pending' && !isJoining) return <Over invite={invite} />;

  const answer = async (status: 'accepted' | 'revoked') => {
    setBusy(true);
    await attempt(async () => {
      await api('invite.answer', { params: { id: invite.id }, body: { status, ...tokenOf(invite.id) } });
      forgetInvite();
      const isAccepted = status === 'accepted';
      // The page stays as it is until the next one is there.
      setIsJoining(isAccepted);
      const now = await refreshPerson();
      if (isAccepted) rememberWorkspace(invite.workspaceId);
      await navigate(nextStep(now, isAccepted ? lastWorkspace() : undefined), { replace: true });
      showToast(
        isAccepted
          ? { title: `You joined ${invite.workspaceName}`, kind: 'success' }
          : { title: 'Invitation declined' },
      );
    });
    setAsking(false);
    setBusy(false);
  };
  return (
    <FormCard
      title={`Join ${invite.workspaceName}`}
      lead={
        <>
          <InvitedBy invite={invite} /> {MEANING[invite.position]}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <FormProblem text={problem} />
        <Button variant="primary" size="lg" block loading={busy} onClick={() => void answer('accepted')}>
          Accept invitation
        </Button>
        <Button size="lg" block disabled={busy} onClick={() => setAsking(true)}>
          Decline
        </Button>
      </div>
      <p className="mt-5 text-center text-xs text-ink-muted">
        {person && <>You are logged in as {person.user.email}. </>}
        <Link
          to={`${pathTo('login', {})}?clear=true&invite=${invite.id}`}
          className="inline-flex min-h-6 items-center font-medium text-primary underline-offset-2 hover:underline"
        >
          Use another account
        </Link>
      </p>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Decline the invitation to ${invite.workspaceName}?`}
        confirm="Decline invitation"
        busy={busy}
        onConfirm={() => void answer('revoked')}
      >
        To join later, you need a new invitation.
      </ConfirmDialog>
    </FormCard>
  );
}

const OVER: Readonly<Record<OpenedInvite['status'], string>> = {
  pending: '',
  accepted: 'You have accepted this invitation.',
  expired: 'This invitation has expired.',
  revoked: 'This invitation was revoked.',
};

function Over({ invite }: { invite: OpenedInvite }) {
  const person = usePerson();
  if (!person) return null;
  const joined = person.workspaces.find(({ id }) => id === invite.workspaceId);
  return (
    <FormCard
      title={invite.workspaceName}
      lead={`${OVER[invite.status]}${joined ? '' : ` Ask ${invite.senderName} (${invite.senderEmail}) for a new one.`}`}
    >
      <LinkButton
        variant="primary"
        size="lg"
        block
        to={
          joined
            ? pathTo('workspace_home', { workspace_slug: joined.slug })
            : nextStep(person, lastWorkspace())
        }
      >
        {joined ? `Open ${joined.name}` : 'Continue'}
      </LinkButton>
    </FormCard>
  );
}

/**
 * Inviting people, and the invitations that are open. Both need the server, so both say so offline; typed text is stored as a
 * draft.
 */
import { zodResolver } from '@hookform/resolvers/zod';
import { RotateCw, X } from 'lucide-react';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { email } from '#shared/define/fields.ts';
import { ERRORS } from '#shared/errors.ts';
import { pathTo } from '#shared/pages.ts';
import { INVITED_POSITIONS } from '#shared/workspaces/invite-endpoints.ts';
import type { Invite } from '#shared/workspaces/invite.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { usePerson } from '#client/api/session.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { useIsOnline } from '#client/shell/online.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { POSITION_LABELS, POSITION_MEANINGS } from '#client/workspaces/position-words.ts';
import { useActor, useCan, useMemberName, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { useInvites } from '#client/workspaces/use-invites.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { Input } from '#client/ui/input.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { Select } from '#client/ui/select.tsx';
import { countOf } from '#shared/english.ts';

const schema = z.object({ email, position: z.enum(INVITED_POSITIONS) });
type NewInvite = z.input<typeof schema>;
const EMPTY: NewInvite = { email: '', position: 'member' };

/** The form and the list below it; for those who may invite. */
export function InvitePeople({ workspace, members }: { workspace: Workspace; members: number }) {
  const { known, reload } = useInvites(workspace.id, members);
  return (
    <>
      <InviteForm workspace={workspace} onSent={reload} />
      <LoadedList known={known} what="open invitations" usual={[]} onRetry={() => void reload()}>
        {(invites) =>
          invites.length > 0 && (
            <div>
              <h3 className="text-xs font-medium text-ink-muted">
                {countOf(invites.length, 'open invitation')}
              </h3>
              <ul aria-label="Open invitations" className="mt-1 divide-y divide-line/60">
                {invites.map((invite) => (
                  <OpenInvite key={invite.id} invite={invite} onChange={reload} />
                ))}
              </ul>
            </div>
          )
        }
      </LoadedList>
    </>
  );
}

function InviteForm({ workspace, onSent }: { workspace: Workspace; onSent: () => Promise<void> }) {
  const can = useCan();
  const isOnline = useIsOnline();
  const { userId } = useActor();
  const person = usePerson();
  const slug = useWorkspaceSlug();
  const { register, handleSubmit, formState, control, setValue, setError, reset } = useForm<NewInvite>({
    resolver: zodResolver(schema),
    mode: 'onSubmit',
    defaultValues: EMPTY,
  });
  const { errors, isSubmitting } = formState;
  const values = useWatch({ control, compute: (all: NewInvite) => all });
  const draft = useFormDraft(`invite/${userId}/${workspace.id}`, changedFields(values, EMPTY), (fields) => {
    const position = INVITED_POSITIONS.find((each) => each === fields['position']);
    setValue('email', fields['email'] ?? '');
    setValue('position', position ?? EMPTY.position);
  });
  const send = handleSubmit(async (body) => {
    try {
      await api('invite.create', { body: { ...body, workspaceId: workspace.id } });
      showToast({ kind: 'success', title: 'Invitation sent', description: body.email });
      reset(EMPTY);
      draft.drop();
      await onSent();
    } catch (failure) {
      const isAboutAddress = failure instanceof ApiProblem && failure.status === ERRORS.conflict.status;
      if (isAboutAddress)
        setError('email', { message: sentence(failure.error.detail) }, { shouldFocus: true });
      else showProblem(failure);
    }
  });
  if (person?.user.emailVerified === false) {
    const back = encodeURIComponent(pathTo('settings_members', { workspace_slug: slug }));
    return (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-muted">Confirm your e-mail address before you invite people.</p>
        <LinkButton to={`${pathTo('verify_email', {})}?redirect=${back}`}>Confirm address</LinkButton>
      </div>
    );
  }
  const options = INVITED_POSITIONS.filter((position) => can('invite.create', { position })).map(
    (position) => ({ value: position, label: POSITION_LABELS[position] }),
  );
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
      <div className="flex flex-col gap-4 sm:flex-row">
        <Field label="E-mail" required error={errors.email?.message} className="min-w-0 flex-1">
          <Input {...register('email')} type="email" autoComplete="off" />
        </Field>
        <Field label="Position" className="sm:w-40">
          <Select {...register('position')} options={options} />
        </Field>
      </div>
      <p className="-mt-2 text-xs text-ink-muted">{POSITION_MEANINGS[values.position]}</p>
      <div>
        <Button type="submit" variant="primary" disabled={!isOnline} loading={isSubmitting}>
          Send invitation
        </Button>
        {!isOnline && <p className="mt-2 text-xs text-ink-muted">Available when you are online.</p>}
      </div>
    </form>
  );
}

/** The server names the field before the reason. */
function sentence(detail: string): string {
  const reason = detail.replace(/^\w+: /, '');
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
}

function OpenInvite({ invite, onChange }: { invite: Invite; onChange: () => Promise<void> }) {
  const can = useCan();
  const isOnline = useIsOnline();
  const sender = useMemberName(invite.createdBy);
  const [asking, setAsking] = useState(false);
  const { busy, run } = useBusy();
  const { email: address, position, workspaceId, id } = invite;
  const mayRevoke = can('invite.revoke', { position });
  const change = async (act: () => Promise<unknown>, done: string) => {
    const isDone = await run(act, onChange);
    if (isDone) showToast({ kind: 'success', title: done, description: address });
    setAsking(false);
  };
  const resend = () => {
    const invited = INVITED_POSITIONS.find((each) => each === position);
    if (invited === undefined) return;
    void change(
      () => api('invite.create', { body: { workspaceId, email: address, position: invited } }),
      'Invitation sent again',
    );
  };
  return (
    <li className="flex items-center gap-2 py-2.5">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{address}</span>
        <span className="block text-xs text-ink-muted">
          Invited by {sender} <RelativeTime at={invite.created} />
        </span>
      </span>
      <Badge>{POSITION_LABELS[position]}</Badge>
      {mayRevoke && (
        <>
          <IconButton
            label={`Resend invitation to ${address}`}
            icon={<RotateCw />}
            disabled={busy || !isOnline}
            onClick={resend}
          />
          <IconButton
            label={`Revoke invitation to ${address}`}
            icon={<X />}
            disabled={busy || !isOnline}
            onClick={() => setAsking(true)}
          />
        </>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Revoke this invitation?"
        confirm="Revoke invitation"
        busy={busy}
        onConfirm={() =>
          void change(() => api('invite.revoke', { params: { workspaceId, id } }), 'Invitation revoked')
        }
      >
        The link in the mail to {address} will no longer work.
      </ConfirmDialog>
    </li>
  );
}

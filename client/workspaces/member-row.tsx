/**
 * One member: name, address, position, and for those who may what can be changed about it. Positions are the server's, so
 * changes need the network; they arrive here by the replica.
 */
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { displayName } from '#shared/accounts/display-name.ts';
import { POSITIONS, type Position } from '#shared/permissions.ts';
import type { MemberHead } from '#shared/workspaces/workspace-member.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { perform } from '#client/shell/perform.ts';
import { showToast } from '#client/shell/toasts.ts';
import { undoable } from '#client/shell/undo.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { POSITION_LABELS, POSITION_PHRASES } from '#client/workspaces/position-words.ts';
import { useActor, useCan } from '#client/workspaces/queries.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import type { MenuEntry } from '#client/ui/menu-entry.ts';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';

interface MemberRowProps {
  member: MemberHead;
  workspace: Workspace | undefined;
  email: string | undefined;
}

export function MemberRow({ member, workspace, email }: MemberRowProps) {
  const { userId } = useActor();
  const isSelf = member.userId === userId;
  const name = displayName(member);
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Avatar name={name} seed={member.userId} />
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          {name}
          {isSelf && <span className="text-ink-muted"> (you)</span>}
        </span>
        <span className="block truncate text-xs text-ink-muted empty:hidden">{email}</span>
      </span>
      <Badge tone={member.position === 'owner' ? 'primary' : 'neutral'}>
        {POSITION_LABELS[member.position]}
      </Badge>
      {workspace && !isSelf && <MemberMenu member={member} workspace={workspace} name={name} />}
    </li>
  );
}

function MemberMenu({ member, workspace, name }: { member: MemberHead; workspace: Workspace; name: string }) {
  const can = useCan();
  const isOnline = useIsOnline();
  const [question, setQuestion] = useState<'remove' | 'transfer'>();
  const { busy, run } = useBusy();
  const { position, userId } = member;
  const params = { workspaceId: workspace.id, id: userId };
  const mayChange = can('member.update', { position });
  const mayTransfer = can('workspace.transfer');
  if (!mayChange && !can('member.remove', { position })) return null;

  const set = (next: Position) =>
    perform(() => api('workspace_member.update', { params, body: { position: next } }));
  const change = async (next: Position) => {
    if (next === position) return;
    await undoable({
      act: () => set(next),
      undo: async () => void (await set(position)),
      title: `${name} is now ${POSITION_PHRASES[next]}`,
    });
  };
  const confirm = async (act: () => Promise<unknown>, done: string) => {
    const isDone = await run(act, () => setQuestion(undefined));
    if (isDone) showToast({ kind: 'success', title: done });
  };
  const entries: readonly MenuEntry[] = [
    mayChange && {
      kind: 'choice',
      label: 'Position',
      value: position,
      options: POSITIONS.filter((each) => each === position || can('member.update', { position: each })).map(
        (value) => ({ value, label: POSITION_LABELS[value] }),
      ),
      set: (value) => {
        const next = POSITIONS.find((each) => each === value);
        if (next) void change(next);
      },
    },
    { kind: 'line' },
    mayTransfer && { label: 'Transfer ownership…', run: () => setQuestion('transfer') },
    can('member.remove', { position }) && {
      label: 'Remove from workspace…',
      tone: 'danger',
      run: () => setQuestion('remove'),
    },
  ];
  return (
    <>
      <DropdownMenu
        trigger={<PlainIconButton label={`Actions for ${name}`} icon={<Ellipsis />} disabled={!isOnline} />}
        entries={entries}
      />
      <ConfirmDialog
        open={question === 'remove'}
        onOpenChange={(open) => setQuestion(open ? 'remove' : undefined)}
        title={`Remove ${name} from ${workspace.name}?`}
        confirm="Remove member"
        busy={busy}
        onConfirm={() =>
          void confirm(() => api('workspace_member.remove', { params }), `${name} was removed`)
        }
      >
        <p>{name} loses access at once, and so do their API keys and connected apps for this workspace.</p>
        <p className="mt-2">
          Their memories stay. Their private spaces and threads pass to the workspace’s owner.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={question === 'transfer'}
        onOpenChange={(open) => setQuestion(open ? 'transfer' : undefined)}
        title={`Transfer ${workspace.name} to ${name}?`}
        confirm="Transfer ownership"
        busy={busy}
        onConfirm={() =>
          void confirm(
            () => api('workspace.transfer', { params: { workspaceId: workspace.id }, body: { userId } }),
            `${name} is now an owner`,
          )
        }
      >
        {name} becomes an owner and you become an admin. Only an owner can give you the ownership back.
      </ConfirmDialog>
    </>
  );
}

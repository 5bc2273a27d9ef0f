/** Continues from a message in a new thread, which is on this device at once. */
import { Split } from 'lucide-react';
import { useNavigate } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import type { Message } from '#shared/threads/message.ts';
import { branchThread } from '#client/threads/actions.ts';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';

const LABEL = 'Branch from here';

export function BranchButton({ message }: { message: Message }) {
  const can = useCan();
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  if (!can('thread.create')) return null;
  const begin = async () => {
    const id = await branchThread(message);
    if (id !== undefined) await navigate(pathTo('thread', { workspace_slug: slug, thread_id: id }));
  };
  return <PlainIconButton label={LABEL} title={LABEL} icon={<Split />} onClick={() => void begin()} />;
}

/** Continues from a message in a new thread: the server creates it, and its page opens once it is on this device. */
import { Split } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import type { Message } from '#shared/threads/message.ts';
import { branchThread } from '#client/threads/actions.ts';
import { useThread } from '#client/threads/queries.ts';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';

const LABEL = 'Branch from here';

export function BranchButton({ message }: { message: Message }) {
  const can = useCan();
  const [isAsking, setIsAsking] = useState(false);
  const [branch, setBranch] = useState<Id<'thread'>>();
  if (!can('thread.create')) return null;
  const isBusy = isAsking || branch !== undefined;
  const begin = async () => {
    if (isBusy) return;
    setIsAsking(true);
    setBranch(await branchThread(message));
    setIsAsking(false);
  };
  return (
    <>
      <PlainIconButton
        label={LABEL}
        title={LABEL}
        icon={<Split />}
        aria-disabled={isBusy}
        onClick={() => void begin()}
      />
      {branch !== undefined && <OpenOnceHere threadId={branch} />}
    </>
  );
}

function OpenOnceHere({ threadId }: { threadId: Id<'thread'> }) {
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  const isHere = useThread(threadId) !== undefined;
  useEffect(() => {
    if (isHere) void navigate(pathTo('thread', { workspace_slug: slug, thread_id: threadId }));
  }, [isHere, navigate, slug, threadId]);
  return <output className="sr-only">The branch is being made.</output>;
}

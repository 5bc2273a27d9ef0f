/**
 * The share dialog of a thread. A shared thread is a live view: what is written later is visible too, and it says so.
 */
import { can } from '#shared/permissions.ts';
import { pathTo } from '#shared/pages.ts';
import { workspaceReads, type Visibility } from '#shared/spaces/visibility.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { useModal } from '#client/shell/modals.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { ShareCard } from '#client/spaces/share-card.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { useActor, useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';

function Preview({ thread, place }: { thread: Thread; place: string }) {
  return (
    <article className="rounded-card border border-line bg-surface p-5 wrap-anywhere">
      <h3 className="text-base leading-6 font-semibold">{thread.name}</h3>
      {thread.summary && <p className="mt-2 line-clamp-3 text-ink-muted">{thread.summary}</p>}
      <p className="mt-3 text-xs text-ink-muted">{place}</p>
    </article>
  );
}

function ShareThread({ thread }: { thread: Thread }) {
  const slug = useWorkspaceSlug();
  const workspace = useWorkspace();
  const actor = useActor();
  const count = useQuery((view) => view.messagesOf(thread.id).length, [thread.id]);
  const subject = {
    ownerId: thread.ownerId,
    workspaceReads: workspaceReads(thread.visibility),
    publicSharing: workspace?.allowPublicSharing ?? true,
  };
  const change = async (visibility: Visibility) => {
    try {
      await mutate('thread.update', { id: thread.id, visibility });
      return true;
    } catch (failure) {
      showProblem(failure);
      return false;
    }
  };
  const messages = count === 1 ? 'Its 1 message becomes' : `All its ${count} messages become`;
  return (
    <ShareCard
      visibility={thread.visibility}
      editable={can(actor, 'thread.update', subject)}
      publishable={can(actor, 'thread.publish', subject)}
      path={pathTo('public_thread', { workspace_slug: slug, thread_id: thread.id })}
      feedPath={`${pathTo('public_thread', { workspace_slug: slug, thread_id: thread.id })}/feed.xml`}
      consequence={`${messages} visible, and everything written in it later.`}
      preview={<Preview thread={thread} place={workspace?.name ?? ''} />}
      unshared="private"
      onChange={change}
    />
  );
}

/** Once per dashboard. */
export function ShareThreadModal() {
  const { open, args, onOpenChange } = useModal('shareThread');
  const id = args?.threadId;
  const thread = useQuery((view) => (id ? view.peek('thread', id) : undefined), [id]);
  return (
    <Dialog
      open={open && thread !== undefined && thread.deletedAt === null}
      onOpenChange={onOpenChange}
      title={thread ? `Share “${thread.name}”` : 'Share'}
    >
      {thread && <ShareThread key={thread.id} thread={thread} />}
    </Dialog>
  );
}

/**
 * The share dialog of a thread. A shared thread is a live view that includes later messages unless it is frozen; the
 * dialog shows which of the two it is.
 */
import { SYNC } from '#shared/constants.ts';
import { can } from '#shared/permissions.ts';
import { pathTo } from '#shared/pages.ts';
import { publishingSubjectOf, subjectOf } from '#shared/subject.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { useModal } from '#client/shell/modals.ts';
import { FreezeCard, writtenSince } from '#client/threads/freeze-card.tsx';
import { usePrivateQuotes } from '#client/threads/private-quotes.tsx';
import { ViewThreadAs } from '#client/threads/view-thread-as.tsx';
import { useMessages } from '#client/threads/queries.ts';
import { GrantsCard } from '#client/spaces/grants-card.tsx';
import { ShareCard } from '#client/spaces/share-card.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { useActor, useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';

function Preview({ thread, place }: { thread: Thread; place: string }) {
  return (
    <article className="rounded-card border border-line bg-raised p-5 wrap-anywhere">
      <h3 className="font-serif text-name">{thread.name}</h3>
      {thread.summary && <p className="mt-2 line-clamp-3 text-ink-muted">{thread.summary}</p>}
      <p className="mt-3 text-xs text-ink-muted">{place}</p>
    </article>
  );
}

/** Sentence about what becomes public, with numbers where this device has all messages. */
function consequenceOf({ publicUntil }: Thread, messages: readonly Message[]): string {
  const isCounted = messages.length > 0 && messages.length < SYNC.windowMessages;
  if (publicUntil) {
    if (!isCounted) return 'Everything up to the last public message is visible, and nothing later.';
    const count = messages.length - writtenSince(messages, publicUntil);
    const shown = count === 1 ? '1 message is' : `${count} messages are`;
    return `${shown} visible, and nothing that is written later.`;
  }
  if (!isCounted) return 'All its messages become visible, and everything written in it later.';
  const all = messages.length === 1 ? 'Its 1 message becomes' : `All its ${messages.length} messages become`;
  return `${all} visible, and everything written in it later.`;
}

function ShareThread({ thread }: { thread: Thread }) {
  const slug = useWorkspaceSlug();
  const workspace = useWorkspace();
  const actor = useActor();
  const messages = useMessages(thread.id);
  const { share, question } = usePrivateQuotes(thread);
  const change = (fields: Partial<Pick<Thread, 'visibility' | 'publicUntil'>>) =>
    share(fields, (quotes) => mutate('thread.update', { id: thread.id, ...fields, quotes }));
  const editable = can(actor, 'thread.update', subjectOf(thread, thread));
  const publishable = can(actor, 'thread.publish', publishingSubjectOf(thread, workspace));
  const path = pathTo('public_thread', { workspace_slug: slug, thread_id: thread.id });
  return (
    <ShareCard
      visibility={thread.visibility}
      editable={editable}
      publishable={publishable}
      path={path}
      feedPath={`${path}/feed.xml`}
      consequence={consequenceOf(thread, messages)}
      below={
        <FreezeCard
          thread={thread}
          messages={messages}
          editable={editable}
          publishable={publishable}
          onChange={(publicUntil) => void change({ publicUntil })}
        />
      }
      preview={<Preview thread={thread} place={workspace?.name ?? ''} />}
      people={
        <>
          {question}
          <GrantsCard
            place={thread}
            editable={editable}
            onAdd={(holder, level) =>
              share({ holder }, (quotes) =>
                mutate('grant.put', { resourceId: thread.id, holder, level, quotes }),
              )
            }
          />
          {editable && <ViewThreadAs thread={thread} />}
        </>
      }
      unshared="private"
      onChange={(visibility) => change({ visibility })}
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

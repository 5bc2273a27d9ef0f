/**
 * The share dialog of a thread. A shared thread is a live view that includes later messages unless it is frozen; the
 * dialog shows which of the two it is.
 */
import { useCallback } from 'react';
import { SYNC } from '#shared/sync/limits.ts';
import { can } from '#shared/permissions.ts';
import { pathTo } from '#shared/pages.ts';
import type { SpaceViewer } from '#shared/spaces/visibility.ts';
import { publishingSubjectOf, subjectOf } from '#shared/subject.ts';
import type { Message } from '#shared/threads/message.ts';
import type { ThreadView } from '#shared/threads/thread-view.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { api } from '#client/api/session-client.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { useModal } from '#client/shell/modals.ts';
import { ViewAsCard } from '#client/spaces/view-as-card.tsx';
import { FreezeCard, writtenSince } from '#client/threads/freeze-card.tsx';
import { usePrivateQuotes } from '#client/threads/private-quotes.tsx';
import { useMessages } from '#client/threads/queries.ts';
import { GrantsCard } from '#client/spaces/grants-card.tsx';
import { ShareCard } from '#client/spaces/share-card.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { useActor, useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { countOf } from '#shared/english.ts';

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
    const shown = countOf(count, 'message is', 'messages are');
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

const AUTHORS = { user: 'Question', assistant: 'Answer', system: 'Instruction' } as const;

function Content({ view, who }: { view: ThreadView; who: string }) {
  const earlier = view.total - view.messages.length;
  return (
    <>
      <p className="font-serif text-name wrap-anywhere">{view.thread?.name}</p>
      {view.thread?.summary && <p className="mt-1 wrap-anywhere text-ink-muted">{view.thread.summary}</p>}
      <p className="mt-1 text-xs text-ink-muted">{countOf(view.total, 'message')}</p>
      {earlier > 0 && <p className="mt-2 text-xs text-ink-muted">The first {earlier} are not shown here.</p>}
      <ul aria-label={`What ${who} sees`} className="mt-3 divide-y divide-line/60">
        {view.messages.map(({ id, role, content }) => (
          <li key={id} className="py-2">
            <p className="text-xs text-ink-muted">{AUTHORS[role]}</p>
            <p className="line-clamp-6 wrap-anywhere whitespace-pre-wrap">{content}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** For those who may change who sees the thread. */
function ViewThreadAs({ thread }: { thread: Thread }) {
  const { id, workspaceId } = thread;
  const load = useCallback(
    async (viewer: SpaceViewer) =>
      (await api('thread.view_as', { params: { workspaceId, id }, query: { viewer } })).result,
    [workspaceId, id],
  );
  return (
    <ViewAsCard place={thread} load={load}>
      {(view, who) => <Content view={view} who={who} />}
    </ViewAsCard>
  );
}

/**
 * `/{workspace_slug}/threads/{id}` and `/threads/new`: the messages of a thread and the field to write the next one.
 * Works without a network; says plainly that this version does not answer.
 */
import { Clock, Info, MessagesSquare, MoreHorizontal, Pencil, Share2, Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useNavigate, useParams } from 'react-router';
import { isId } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { useFirstSync, useSyncStatus } from '#client/replica/use-sync-status.ts';
import { sendMessage, startThread } from '#client/threads/actions.ts';
import { Composer } from '#client/threads/composer.tsx';
import { useMessages, useThread, useThreadRights } from '#client/threads/queries.ts';
import { MissingPage } from '#client/shell/missing-page.tsx';
import { openModal } from '#client/shell/modals.ts';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { VisibilityMark } from '#client/spaces/visibility-card.tsx';
import { useActor, useCan, useMemberName, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { LazyMarkdown } from '#client/ui/lazy-markdown.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'full' });

function NoAnswers() {
  return (
    <p className="flex items-start gap-2 rounded-card bg-info-soft px-3 py-2 text-xs leading-5 text-info-soft-ink">
      <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      This version keeps what you write here and does not answer. Answers from your memories are not part of
      it.
    </p>
  );
}

function MessageLine({ message, pending }: { message: Message; pending: boolean }) {
  const author = useMemberName(message.createdBy);
  return (
    <article aria-label={`Message of ${author}`} className="group/message py-3">
      <header className="flex items-center gap-2 text-xs text-ink-faint">
        <span className="font-medium text-ink">{author}</span>
        <RelativeTime at={message.createdAt} />
        {pending && (
          <span className="flex items-center gap-1">
            <Clock aria-hidden="true" className="size-3.5" /> Waiting to be sent
          </span>
        )}
        <CopyButton
          iconOnly
          label="Copy message"
          text={message.content}
          className="ms-auto opacity-0 group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100"
        />
      </header>
      <LazyMarkdown source={message.content} />
    </article>
  );
}

function Messages({ thread }: { thread: Thread }) {
  const messages = useMessages(thread.id);
  const { pending } = useSyncStatus();
  const waiting = new Set(pending.map(({ subject }) => subject));
  const end = useRef<HTMLDivElement>(null);
  const last = messages.at(-1)?.id;
  useEffect(() => end.current?.scrollIntoView({ block: 'end' }), [last]);
  if (messages.length === 0) return <EmptyState icon={<MessagesSquare />} title="Nothing written here yet" />;
  return (
    <div className="flex-1">
      {messages.map((message, index) => {
        const day = message.createdAt.slice(0, 10);
        const isNewDay = messages[index - 1]?.createdAt.slice(0, 10) !== day;
        return (
          <div key={message.id}>
            {isNewDay && (
              <h2 className="border-b border-line pt-4 pb-1.5 text-xs font-medium text-ink-faint">
                {DAY.format(new Date(message.createdAt))}
              </h2>
            )}
            <MessageLine message={message} pending={waiting.has(message.id)} />
          </div>
        );
      })}
      <div ref={end} className="scroll-mb-40" />
    </div>
  );
}

function ThreadBar({ thread }: { thread: Thread }) {
  const rights = useThreadRights();
  const threadId = thread.id;
  const mayRemove = rights('thread.remove', thread);
  return (
    <PageBar
      title={thread.name}
      actions={
        <>
          <span className="text-xs text-ink-faint max-sm:hidden">
            <VisibilityMark visibility={thread.visibility} />
          </span>
          {rights('thread.update', thread) && (
            <DropdownMenu
              trigger={<PlainIconButton label={`Acts for ${thread.name}`} icon={<MoreHorizontal />} />}
              entries={[
                { label: 'Share…', icon: <Share2 />, run: () => openModal('shareThread', { threadId }) },
                { label: 'Rename…', icon: <Pencil />, run: () => openModal('renameThread', { threadId }) },
                mayRemove && {
                  label: 'Delete…',
                  icon: <Trash2 />,
                  tone: 'danger',
                  run: () => openModal('deleteThread', { threadId }),
                },
              ]}
            />
          )}
        </>
      }
    />
  );
}

/** The page of an existing thread. */
export function ThreadPage() {
  const { thread_id: id } = useParams();
  const thread = useThread(isId('thread', id) ? id : undefined);
  const firstSync = useFirstSync();
  const { userId } = useActor();
  const can = useCan();
  const liveId = thread?.deletedAt === null ? thread.id : undefined;
  usePageTitle(thread?.name ?? 'Thread');
  useEffect(() => {
    if (liveId === undefined) return;
    // Brings the newest messages to this device; what is here already is shown meanwhile.
    mutate('thread.open', { id: liveId }).catch((failure: unknown) =>
      console.info('threads: could not be opened', failure),
    );
  }, [liveId]);
  if (!thread || liveId === undefined) {
    return firstSync.state === 'ready' ? <MissingPage /> : <PageBar title="Thread" />;
  }
  return (
    <>
      <ThreadBar thread={thread} />
      <div className="mx-auto flex min-h-[calc(100dvh-3.25rem)] w-full max-w-3xl flex-col gap-3 px-3 pt-3 sm:px-5">
        <Messages thread={thread} />
        <div className="sticky bottom-0 mt-auto flex flex-col gap-2 bg-canvas pt-2 pb-20 md:pb-5">
          <NoAnswers />
          {can('message.create') && (
            <Composer
              key={thread.id}
              draftKey={`thread/${userId}/${thread.id}`}
              label={`Message in ${thread.name}`}
              onSend={(content) => sendMessage(thread.id, content)}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** The page of a thread that begins with its first message. */
export function NewThreadPage() {
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  const { userId } = useActor();
  const can = useCan();
  usePageTitle('New thread');
  const begin = async (content: string) => {
    const id = await startThread(content);
    if (id) {
      await navigate(pathTo('thread', { workspace_slug: slug, thread_id: id }), { replace: true });
    }
    return id !== undefined;
  };
  if (!can('thread.create')) return <MissingPage />;
  return (
    <>
      <PageBar title="New thread" />
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-3 px-3 pt-6 pb-28 sm:px-5">
        <Composer draftKey={`thread-new/${userId}/${slug}`} label="First message" onSend={begin} />
        <NoAnswers />
      </div>
    </>
  );
}

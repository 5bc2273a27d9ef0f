/**
 * `/{workspace_slug}/threads/{id}` and `/threads/new`: the messages of a thread and the field to write the next one.
 * Works offline, and explains how messages are answered.
 */
import {
  ArrowDown,
  CloudOff,
  FileDown,
  Info,
  MoreHorizontal,
  Pencil,
  Share2,
  Trash2,
  Undo2,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import { isId } from '#shared/ids.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { useFirstSync, useSyncStatus } from '#client/replica/use-sync-status.ts';
import { restoreThread, sendMessage } from '#client/threads/actions.ts';
import { withoutVersions } from '#client/threads/answer-versions.tsx';
import { useBeginThread } from '#client/threads/begin-thread.ts';
import { Composer } from '#client/threads/composer.tsx';
import { EXPORT_LABELS, exportThread } from '#client/threads/export-thread.ts';
import {
  citationsOf,
  newThreadDraft,
  useCitedTitles,
  useMessages,
  useThread,
  useThreadRights,
} from '#client/threads/queries.ts';
import { ThreadMessages } from '#client/threads/thread-messages.tsx';
import { useAnsweringModel } from '#client/threads/use-answering-model.ts';
import { useEarlierMessages } from '#client/threads/use-earlier-messages.ts';
import { useLatestMessage } from '#client/threads/use-latest-message.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { NotOnDevice } from '#client/shell/not-on-device.tsx';
import { MissingPage } from '#client/shell/missing-page.tsx';
import { openModal } from '#client/shell/modals.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { VisibilityMark } from '#client/spaces/visibility-card.tsx';
import { useActor, useCan, useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

function HowItAnswers() {
  const model = useAnsweringModel(useWorkspace()?.id);
  return (
    <p className="flex items-start gap-2 px-1 text-xs leading-5 text-ink-muted">
      <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {model === undefined && 'Answers rest on passages from your memories.'}
        {model === null && 'Answers quote passages from your memories. Nothing is sent to a language model.'}
        {model &&
          `Your question and passages from your memories are sent to ${model.host}, where the language model ${model.name} writes the answer.`}
      </span>
    </p>
  );
}

function ThreadBar({ thread }: { thread: Thread }) {
  const rights = useThreadRights();
  const threadId = thread.id;
  const mayUpdate = rights('thread.update', thread);
  const mayRemove = rights('thread.remove', thread);
  const slug = useWorkspaceSlug();
  const { turns: messages } = withoutVersions(useMessages(threadId));
  const titles = useCitedTitles(messages.flatMap(citationsOf));
  return (
    <PageBar
      narrow
      title={thread.name}
      actions={
        <>
          <span className="text-xs text-ink-faint max-sm:hidden">
            <VisibilityMark visibility={thread.visibility} />
          </span>
          <DropdownMenu
            trigger={<PlainIconButton label={`Actions for ${thread.name}`} icon={<MoreHorizontal />} />}
            entries={[
              mayUpdate && {
                label: 'Share…',
                icon: <Share2 />,
                run: () => openModal('shareThread', { threadId }),
              },
              mayUpdate && {
                label: 'Rename…',
                icon: <Pencil />,
                run: () => openModal('renameThread', { threadId }),
              },
              { kind: 'heading', label: 'Export as' },
              ...EXPORT_LABELS.map(([format, label]) => ({
                label,
                icon: <FileDown />,
                run: () => void exportThread(thread, { messages, titles, slug }, format),
              })),
              mayRemove && { kind: 'line' },
              mayRemove && {
                label: 'Delete…',
                icon: <Trash2 />,
                tone: 'danger',
                run: () => openModal('deleteThread', { threadId }),
              },
            ]}
          />
        </>
      }
    />
  );
}

/** A thread in "Recently deleted". */
function DeletedThread({ thread }: { thread: Thread }) {
  const rights = useThreadRights();
  return (
    <>
      <PageBar narrow title={thread.name} />
      <EmptyState
        title="This thread was deleted"
        className="pt-16"
        action={
          rights('thread.remove', thread) && (
            <Button variant="primary" icon={<Undo2 />} onClick={() => void restoreThread(thread)}>
              Restore
            </Button>
          )
        }
      >
        It can be restored for {TRASH_DAYS} days.
      </EmptyState>
    </>
  );
}

/** Messages and composer; pass the thread's id as key. */
function OpenThread({ thread }: { thread: Thread }) {
  const { messages, versions, known, earlier, load } = useEarlierMessages(thread);
  const { frame, isAtLatest, toLatest } = useLatestMessage(messages[0]?.id);
  const { userId } = useActor();
  const online = useIsOnline();
  const may = useThreadRights()('message.create', thread);
  const last = messages.at(-1)?.id;
  const [read, setRead] = useState(last);
  const composer = useRef<HTMLTextAreaElement>(null);
  if (isAtLatest && read !== last) setRead(last);
  useEffect(() => {
    // Loads the newest messages to this device; those already here are shown meanwhile.
    mutate('thread.open', { id: thread.id }).catch((failure: unknown) =>
      console.info('threads: could not be opened', failure),
    );
  }, [thread.id]);
  const send = async (content: string) => {
    const isKept = await sendMessage(thread.id, content);
    if (isKept) toLatest();
    return isKept;
  };
  // From a control that is removed with it.
  const sendAgain = async (content: string) => {
    const isKept = await send(content);
    if (isKept) composer.current?.focus({ preventScroll: true });
    return isKept;
  };
  return (
    <div className="column flex min-h-[calc(100dvh-var(--bar))] max-w-[45rem]! flex-col gap-3 pt-1">
      <div ref={frame} className="flex-1 [overflow-anchor:none]">
        <ThreadMessages
          thread={thread}
          messages={messages}
          versions={versions}
          known={known}
          earlier={earlier}
          load={load}
          onSend={may ? sendAgain : undefined}
        />
      </div>
      <div className="**:-scroll-mb-24 sticky bottom-0 mt-auto flex flex-col gap-2 bg-paper pt-2 pb-20 md:pb-5">
        {!isAtLatest && (
          <Button
            size="sm"
            icon={<ArrowDown />}
            onClick={toLatest}
            className="absolute -top-10 self-center rounded-full! shadow-float"
          >
            {read === last ? 'Jump to latest' : 'New messages'}
          </Button>
        )}
        {may && (
          <Composer
            key={thread.id}
            draftKey={`thread/${userId}/${thread.id}`}
            label={`Message in ${thread.name}`}
            onSend={send}
            fieldRef={composer}
          />
        )}
        {!online && may && (
          <output className="flex items-center gap-2 px-1 text-xs text-ink-muted">
            <CloudOff aria-hidden="true" className="size-4 shrink-0" />
            You are offline. Messages are saved on this device and sent in order.
          </output>
        )}
        <HowItAnswers />
      </div>
    </div>
  );
}

function Looking() {
  return (
    <>
      <PageBar narrow title="Thread" />
      <FirstSyncNotice>
        <SkeletonGroup label="Loading the thread">
          <Skeleton className="m-5 h-4 w-40" />
        </SkeletonGroup>
      </FirstSyncNotice>
    </>
  );
}

export function ThreadPage() {
  const { thread_id: id } = useParams();
  const thread = useThread(isId('thread', id) ? id : undefined);
  const firstSync = useFirstSync();
  const online = useIsOnline();
  const { lastSyncedAt } = useSyncStatus();
  usePageTitle(thread?.name ?? 'Thread');
  if (!thread) {
    if (!isId('thread', id)) return <MissingPage />;
    if (firstSync.state === 'ready' && !online) return <NotOnDevice what="thread" />;
    // Only after a sync during this visit: a thread that is newer than the last sync is not here before.
    if (firstSync.state === 'ready' && lastSyncedAt !== undefined) return <MissingPage />;
    return <Looking />;
  }
  if (thread.deletedAt !== null) return <DeletedThread thread={thread} />;
  return (
    <>
      <ThreadBar thread={thread} />
      <OpenThread key={thread.id} thread={thread} />
    </>
  );
}

/** The page of a new thread, which is created with its first message. */
export function NewThreadPage() {
  const slug = useWorkspaceSlug();
  const { userId } = useActor();
  const can = useCan();
  usePageTitle('New thread');
  const begin = useBeginThread({ replace: true });
  const may = can('thread.create');
  if (may === false) return <MissingPage />;
  return (
    <>
      <PageBar narrow title="New thread" />
      <div className="column flex max-w-[45rem]! flex-col gap-3 pt-4 pb-28">
        {may ? (
          <Composer draftKey={newThreadDraft(userId, slug)} label="First message" onSend={begin} />
        ) : (
          <SkeletonGroup label="Opening the workspace">
            <Skeleton className="h-12.5 w-full" />
          </SkeletonGroup>
        )}
        <HowItAnswers />
      </div>
    </>
  );
}

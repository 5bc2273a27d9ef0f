/**
 * The messages of one thread under the days they were written on, with waiting and refused ones, and the earlier ones on the
 * server.
 */
import { Clock, CloudOff, History, Pencil, RefreshCw, TriangleAlert } from 'lucide-react';
import { memo, useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { readContext } from '#shared/threads/message-context.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { AnswerRating } from '#client/threads/answer-rating.tsx';
import { AnswerTools } from '#client/threads/answer-tools.tsx';
import { useShownVersion, VersionSteps, writtenAt } from '#client/threads/answer-versions.tsx';
import { AwaitedAnswer } from '#client/threads/awaited-answer.tsx';
import { BranchButton } from '#client/threads/branch-button.tsx';
import { SentContext } from '#client/threads/context-chips.tsx';
import { DeviceAnswerCard, settleLeftCard, type LeftCard } from '#client/threads/device-answer-card.tsx';
import { QuestionEditor } from '#client/threads/question-editor.tsx';
import { ReplaceAnswer } from '#client/threads/replace-answer.tsx';
import { UNRATED } from '#client/threads/rating-opinion.ts';
import { useDeviceAnswers } from '#client/threads/use-device-answers.ts';
import { useOwnRatings } from '#client/threads/use-own-ratings.ts';
import type { Problem } from '#client/replica/status.ts';
import { useSyncStatus, type SyncStatusHandle } from '#client/replica/use-sync-status.ts';
import { AnswerText, MessageSources } from '#client/threads/message-sources.tsx';
import { citationsOf } from '#client/threads/queries.ts';
import type { EarlierMessages, EarlierState } from '#client/threads/use-earlier-messages.ts';
import { useActor, useMemberName } from '#client/workspaces/queries.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { showProblem } from '#client/shell/problem-toast.ts';
import { Button } from '#client/ui/button.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { LazyMarkdown } from '#client/ui/lazy-markdown.tsx';
import { dayLabel, localDay } from '#client/ui/local-day.ts';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

function Waiting() {
  return useIsOnline() ? (
    <span className="flex items-center gap-1">
      <Clock aria-hidden="true" className="size-3.5" /> Waiting to be sent
    </span>
  ) : (
    <span className="flex items-center gap-1">
      <CloudOff aria-hidden="true" className="size-3.5" /> Saved here, sent when you are online
    </span>
  );
}

interface MessageLineProps {
  message: Message;
  pending: boolean;
  /** Missing where the message cannot be edited and sent again. */
  onEdit?: ((id: string) => void) | undefined;
  editRef?: RefObject<HTMLButtonElement | null>;
  /** Beside the time. */
  versions?: ReactNode;
}

/** Drawn once: Markdown of two hundred messages is not read again because one of them was sent. */
const MessageLine = memo(function MessageLine({
  message,
  pending,
  onEdit,
  editRef,
  versions,
}: MessageLineProps) {
  const member = useMemberName(message.createdBy);
  const isAnswer = message.role === 'assistant';
  const author = isAnswer ? 'Answer' : message.createdBy === null ? 'Visitor' : member;
  const sources = citationsOf(message);
  const { items, text } = readContext(message.content);
  return (
    <article
      data-message={message.id}
      data-answers={message.replyTo ?? message.versionOf ?? undefined}
      aria-label={isAnswer ? author : `Message from ${author}`}
      className="group/message py-3"
    >
      <header className="flex min-h-6 items-center gap-2 text-xs text-ink-faint">
        <span className="font-medium text-ink">{author}</span>
        <RelativeTime at={writtenAt(message)} />
        {versions}
        {pending && <Waiting />}
        <span className="ms-auto flex opacity-0 group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100">
          {onEdit && (
            <PlainIconButton
              ref={editRef}
              label="Edit and send again"
              title="Edit and send again"
              icon={<Pencil />}
              onClick={() => onEdit(message.id)}
            />
          )}
          {!pending && !message.versionOf && <BranchButton message={message} />}
          <CopyButton iconOnly label="Copy message" text={message.content} />
        </span>
      </header>
      <SentContext items={items} />
      {sources.length === 0 ? (
        <LazyMarkdown source={text} />
      ) : (
        <>
          <AnswerText citations={sources} messageId={message.id} text={text} />
          <MessageSources citations={sources} messageId={message.id} text={text} />
        </>
      )}
    </article>
  );
});

/** The text of a message that could not be sent, if it belongs to the thread. */
function refusedText(problem: Problem, threadId: string): string | undefined {
  const { args } = problem;
  if (problem.name !== 'message.create' || typeof args !== 'object' || args === null) return undefined;
  if (!('threadId' in args) || args.threadId !== threadId || !('content' in args)) return undefined;
  return typeof args.content === 'string' ? args.content : undefined;
}

function RefusedMessage({
  problem,
  text,
  status,
}: {
  problem: Problem;
  text: string;
  status: SyncStatusHandle;
}) {
  return (
    <article aria-label="Message that was not sent" className="my-3 rounded-card border border-line p-3">
      <p className="flex items-center gap-1.5 text-xs text-warning">
        <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
        Not sent: {problem.message}
      </p>
      <p className="mt-1.5 break-words whitespace-pre-line">{readContext(text).text}</p>
      <div className="mt-2.5 flex flex-wrap gap-1.5">
        <Button size="sm" icon={<RefreshCw />} onClick={() => void status.retry(problem).catch(showProblem)}>
          Try again
        </Button>
        <CopyButton text={text} variant="ghost" />
        <Button
          size="sm"
          variant="quietDanger"
          onClick={() => void status.discard(problem).catch(showProblem)}
        >
          Discard
        </Button>
      </div>
    </article>
  );
}

interface EarlierProps {
  state: EarlierState;
  /** The first message that is drawn; undefined while there is none. */
  first: string | undefined;
  /** How many messages are known, drawn or not. */
  known: number;
  load: () => void;
}

const WORDS = {
  before: {
    offline: 'Earlier messages load when you are online.',
    failed: 'Earlier messages could not be loaded. Try again',
  },
  all: {
    offline: 'No message of this thread is on this device. Messages load when you are online.',
    failed: 'The messages could not be loaded. Try again',
  },
} as const;

/** Marker before the first message; loads earlier messages when it comes near the window. */
function Earlier({ state, first, known, load }: EarlierProps) {
  const line = useRef<HTMLDivElement>(null);
  const next = useRef(load);
  useEffect(() => {
    next.current = load;
  });
  useEffect(() => {
    const element = line.current;
    if (!element || state !== 'more') return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && next.current(),
      { rootMargin: '400px 0px 0px 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
    // Observed again after each page, since the first message may still be visible. A page that comes before "loading" was
    // drawn changes neither the state nor the first message.
  }, [state, first, known]);
  if (state === 'none') return null;
  const words = first === undefined ? WORDS.all : WORDS.before;
  if (first === undefined && (state === 'loading' || state === 'more')) {
    return (
      <div ref={line} className="py-3">
        <SkeletonGroup label="Loading the messages">
          <Skeleton className="mb-3 h-4 w-40" />
          <Skeleton className="mb-2 h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
        </SkeletonGroup>
      </div>
    );
  }
  return (
    <div ref={line} className="flex min-h-12 items-center justify-center text-xs text-ink-muted">
      {state === 'loading' && <output>Loading earlier messages…</output>}
      {state === 'offline' && (
        <span className="flex items-center gap-1.5">
          <CloudOff aria-hidden="true" className="size-3.5" />
          {words.offline}
        </span>
      )}
      {(state === 'more' || state === 'failed') && (
        <Button size="sm" variant="ghost" icon={<History />} onClick={load}>
          {state === 'failed' ? words.failed : 'Show earlier messages'}
        </Button>
      )}
    </div>
  );
}

interface AnswerProps extends Pick<ThreadMessagesProps, 'thread' | 'onSend'> {
  message: Message;
  earlier: readonly Message[];
  pending: boolean;
  /** Undefined while it is not on this device. */
  question: Message | undefined;
  ratings: ReturnType<typeof useOwnRatings>;
  isLast: boolean;
}

/** An answer, or an earlier version of it, with what can be done with it. */
function Answer({ thread, message, earlier, pending, question, ratings, isLast, onSend }: AnswerProps) {
  const { userId } = useActor();
  const { shown, ...version } = useShownVersion(message, earlier);
  const versions = version.newest > 1 && <VersionSteps {...version} />;
  return (
    <>
      <MessageLine message={shown} pending={pending} versions={versions} />
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 pb-3">
        <AnswerRating
          key={shown.id}
          draftKey={`rating/${userId}/${shown.id}`}
          opinion={ratings.opinions.get(shown.id) ?? UNRATED}
          onRate={(opinion) => ratings.rate(shown.id, opinion)}
        />
        <AnswerTools
          message={shown}
          question={question?.content ?? 'An answer'}
          onAskAgain={isLast && onSend && question ? () => onSend(question.content) : undefined}
        />
        {onSend && question?.createdBy === userId && <ReplaceAnswer thread={thread} message={message} />}
      </div>
    </>
  );
}

interface ThreadMessagesProps extends EarlierMessages {
  thread: Pick<Thread, 'id' | 'workspaceId' | 'created'>;
  /** Missing for those who only read. Resolves to whether the message is stored. */
  onSend: ((content: string) => Promise<boolean>) | undefined;
}

/** Oldest first. */
export function ThreadMessages(props: ThreadMessagesProps) {
  const { thread, messages, versions, known, earlier, load, onSend } = props;
  const status = useSyncStatus();
  const { userId } = useActor();
  const ratings = useOwnRatings(
    thread,
    messages.some(({ role }) => role === 'assistant'),
  );
  const { answers, made } = useDeviceAnswers(thread, messages);
  const left = useRef<LeftCard>(undefined);
  useLayoutEffect(() => {
    if (left.current !== undefined) settleLeftCard(left.current);
    left.current = undefined;
  });
  const [edited, setEdited] = useState<string>();
  const editButton = useRef<HTMLButtonElement>(null);
  const lastAsked = messages.findLast(({ role }) => role === 'user');
  const last = messages.at(-1);
  const byId = new Map<string, Message>(messages.map((message) => [message.id, message]));
  const waiting = new Set(status.pending.map(({ subject }) => subject));
  const refused = status.problems.flatMap((problem) => {
    const text = refusedText(problem, thread.id);
    return text === undefined ? [] : [{ problem, text }];
  });
  const isEmpty = messages.length === 0 && refused.length === 0 && earlier === 'none';
  return (
    <>
      <Earlier state={earlier} first={messages[0]?.id} known={known} load={load} />
      {isEmpty && (
        <FirstSyncNotice>
          <EmptyState title="Nothing written here yet">
            Write the first message below. It is saved on this device immediately.
          </EmptyState>
        </FirstSyncNotice>
      )}
      {messages.map((message, index) => {
        const day = localDay(message.createdAt);
        const before = messages[index - 1];
        const isNewDay = before === undefined || localDay(before.createdAt) !== day;
        const deviceAnswer = answers.get(message.id);
        return (
          <div key={message.id}>
            {isNewDay && (
              <h2 className="border-b border-line pt-4 pb-1.5 text-xs font-medium text-ink-faint">
                {dayLabel(day)}
              </h2>
            )}
            {message.role === 'assistant' ? (
              <Answer
                thread={thread}
                message={message}
                earlier={versions.get(message.id) ?? []}
                pending={waiting.has(message.id)}
                question={byId.get(message.replyTo ?? '')}
                ratings={ratings}
                isLast={message === last}
                onSend={onSend}
              />
            ) : (
              <MessageLine
                message={message}
                pending={waiting.has(message.id)}
                onEdit={
                  onSend && message === lastAsked && message.createdBy === userId && !waiting.has(message.id)
                    ? setEdited
                    : undefined
                }
                editRef={editButton}
              />
            )}
            {onSend && edited === message.id && (
              <QuestionEditor
                message={message}
                userId={userId}
                onSend={async (content) => {
                  const isKept = await onSend(content);
                  if (isKept) setEdited(undefined);
                  return isKept;
                }}
                close={() => {
                  setEdited(undefined);
                  editButton.current?.focus();
                }}
              />
            )}
            {deviceAnswer && (
              <DeviceAnswerCard
                questionId={message.id}
                answer={deviceAnswer}
                onLeave={(card) => {
                  left.current = card;
                }}
              />
            )}
          </div>
        );
      })}
      <output className="sr-only">
        {made > 0 && <span key={made}>An answer from this device has arrived.</span>}
      </output>
      <AwaitedAnswer
        thread={thread}
        last={messages.at(-1)}
        pending={waiting.has(messages.at(-1)?.id ?? '')}
        isOwn={messages.at(-1)?.createdBy === userId}
      />
      {refused.map(({ problem, text }) => (
        <RefusedMessage
          key={`${problem.realmId}/${problem.id}`}
          problem={problem}
          text={text}
          status={status}
        />
      ))}
    </>
  );
}

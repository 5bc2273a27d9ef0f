/**
 * Shown under the last message while the server prepares its answer: its text as it arrives, where a language model writes
 * it. Screen readers announce the start, the first words, and the arrival of the answer, and nothing in between.
 */
import { PenLine, Search, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isParsedAtOnce } from '#shared/markdown/parsed-at-once.ts';
import { isCopied } from '#shared/threads/message-order.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { perform } from '#client/shell/perform.ts';
import { useAnswerDraft } from '#client/threads/use-answer-draft.ts';
import { useAnsweringModel } from '#client/threads/use-answering-model.ts';
import { Button } from '#client/ui/button.tsx';
import { LazyMarkdown } from '#client/ui/lazy-markdown.tsx';
import { PlainText } from '#client/ui/plain-text.tsx';

/** After this time no answer is expected any more, as for messages from before threads were answered. */
const PATIENCE_MS = 60_000;
/** A language model may be slow, and its server may be killed: then another one begins again. */
export const MODEL_PATIENCE_MS = 180_000;

interface AwaitedAnswerProps {
  thread: Pick<Thread, 'id' | 'workspaceId' | 'created'>;
  last: Message | undefined;
  /** It has not reached the server yet. */
  pending: boolean;
  /** This person asked the question and may stop the answer. */
  isOwn: boolean;
}

/** Whether an answer to the message is expected. */
function useIsAwaited({ thread, last, pending }: AwaitedAnswerProps, patienceMs: number): boolean {
  const online = useIsOnline();
  const [now, setNow] = useState(Date.now);
  const end = last === undefined ? 0 : Date.parse(last.createdAt) + patienceMs;
  useEffect(() => {
    const left = end - Date.now();
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), left);
    return () => clearTimeout(timer);
  }, [end]);
  return online && !pending && last?.role === 'user' && !isCopied(last, thread) && now < end;
}

/** Pass the message's id as key. */
function StopButton({ thread, message }: { thread: AwaitedAnswerProps['thread']; message: Message }) {
  const [isStopping, setIsStopping] = useState(false);
  const stop = async () => {
    setIsStopping(true);
    const params = { workspaceId: thread.workspaceId, threadId: thread.id, id: message.id };
    if (!(await perform(() => api('message.stop', { params })))) setIsStopping(false);
  };
  return (
    <Button
      size="sm"
      icon={<Square />}
      aria-disabled={isStopping}
      onClick={() => {
        if (!isStopping) void stop();
      }}
    >
      {isStopping ? 'Stopping…' : 'Stop'}
    </Button>
  );
}

export function WrittenAnswer({ text }: { text: string }) {
  return (
    <article aria-label="Answer being written" aria-busy="true" className="pt-3">
      <header className="flex min-h-6 items-center text-xs font-medium text-ink">Answer</header>
      {/* Longer texts are parsed beside the page, too late for the next words: they would flicker. */}
      {isParsedAtOnce(text) ? <LazyMarkdown source={text} /> : <PlainText source={text} />}
    </article>
  );
}

/** Pass the thread's id as key. */
export function AwaitedAnswer(given: AwaitedAnswerProps) {
  const { thread, last, isOwn } = given;
  const model = useAnsweringModel(thread.workspaceId);
  const isAwaited = useIsAwaited(given, model ? MODEL_PATIENCE_MS : PATIENCE_MS);
  const [wasAwaited, setWasAwaited] = useState(isAwaited);
  if (isAwaited && !wasAwaited) setWasAwaited(true);
  const isAnswered = wasAwaited && last?.role === 'assistant';
  const draft = useAnswerDraft(thread, isAwaited && Boolean(model));
  const isWritten = isAwaited && draft !== undefined;
  return (
    <>
      {isWritten && <WrittenAnswer text={draft.text} />}
      <div className={isAwaited ? 'flex min-h-14 items-center gap-3 py-3' : undefined}>
        <output className={isAwaited ? 'flex items-center gap-2 text-xs text-ink-muted' : 'sr-only'}>
          {isAwaited && !isWritten && (
            <>
              <Search aria-hidden="true" className={ICON} />
              Looking through your memories…
            </>
          )}
          {isWritten && (
            <>
              <PenLine aria-hidden="true" className={ICON} />
              The answer is being written…
            </>
          )}
          {isAnswered && 'The answer has arrived.'}
        </output>
        {isAwaited && isOwn && model && last && <StopButton key={last.id} thread={thread} message={last} />}
      </div>
    </>
  );
}

const ICON = 'size-4 shrink-0 animate-pulse motion-reduce:animate-none';

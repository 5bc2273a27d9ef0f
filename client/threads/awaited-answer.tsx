/**
 * Shown under the last message while the server prepares its answer. Screen readers announce the start and the arrival
 * of the answer, and nothing in between.
 */
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Message } from '#shared/threads/message.ts';
import { useIsOnline } from '#client/shell/online.ts';

/** After this time no answer is expected any more, as for messages from before threads were answered. */
const PATIENCE_MS = 60_000;

interface AwaitedAnswerProps {
  /** The last message of the thread. */
  last: Message | undefined;
  /** It has not reached the server yet. */
  pending: boolean;
}

/** Whether an answer to the message is expected. */
function useIsAwaited({ last, pending }: AwaitedAnswerProps): boolean {
  const online = useIsOnline();
  const [now, setNow] = useState(Date.now);
  const end = last === undefined ? 0 : Date.parse(last.createdAt) + PATIENCE_MS;
  useEffect(() => {
    const left = end - Date.now();
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), left);
    return () => clearTimeout(timer);
  }, [end]);
  return online && !pending && last?.role === 'user' && now < end;
}

/** Pass the thread's id as key. */
export function AwaitedAnswer(given: AwaitedAnswerProps) {
  const isAwaited = useIsAwaited(given);
  const [wasAwaited, setWasAwaited] = useState(isAwaited);
  if (isAwaited && !wasAwaited) setWasAwaited(true);
  const isAnswered = wasAwaited && given.last?.role === 'assistant';
  return (
    <output className={isAwaited ? 'flex items-center gap-2 py-3 text-xs text-ink-muted' : 'sr-only'}>
      {isAwaited && (
        <>
          <Search aria-hidden="true" className="size-4 shrink-0 animate-pulse motion-reduce:animate-none" />
          Looking through your memories…
        </>
      )}
      {isAnswered && 'The answer has arrived.'}
    </output>
  );
}

/** Under a question that waits for the server: the answer that this device made from its own memories. */
import { MonitorSmartphone } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import type { DeviceAnswer } from '#client/threads/device-answer.ts';
import { AnswerText, MessageSources } from '#client/threads/message-sources.tsx';

/** State of the card when it was removed. */
export interface LeftCard {
  questionId: string;
  hadFocus: boolean;
  /** The memory whose link had the focus, and the words of that link. */
  memoryId: string | undefined;
  words: string;
  /** Its height if it was above the window; otherwise 0. */
  above: number;
}

interface DeviceAnswerCardProps {
  questionId: string;
  answer: DeviceAnswer;
  /** Called while the card is still on the page, just before it is removed. */
  onLeave: (left: LeftCard) => void;
}

/** Pass the question's id as key. */
export function DeviceAnswerCard({ questionId, answer, onLeave }: DeviceAnswerCardProps) {
  const frame = useRef<HTMLElement>(null);
  const leave = useRef(onLeave);
  useLayoutEffect(() => {
    leave.current = onLeave;
  });
  useLayoutEffect(() => {
    const element = frame.current;
    return () => {
      if (element === null) return;
      const focused = document.activeElement;
      const { bottom, height } = element.getBoundingClientRect();
      leave.current({
        questionId,
        hadFocus: element.contains(focused),
        memoryId: focused instanceof HTMLElement ? focused.dataset['item'] : undefined,
        words: focused?.textContent ?? '',
        above: bottom <= 0 ? height : 0,
      });
    };
  }, [questionId]);
  return (
    <article ref={frame} aria-label="Answer from this device" className="py-3">
      <header className="flex min-h-6 flex-wrap items-center gap-x-2 text-xs text-ink-faint">
        <span className="font-medium text-ink">Answer</span>
        <span className="flex items-center gap-1">
          <MonitorSmartphone aria-hidden="true" className="size-3.5" /> Answered on this device, from passages
        </span>
      </header>
      <AnswerText citations={answer.citations} text={answer.content} />
      {answer.citations.length > 0 && <MessageSources citations={answer.citations} text={answer.content} />}
      <p className="mt-2.5 text-xs text-ink-muted">
        Only you see this answer. The server’s answer replaces it when it comes.
      </p>
    </article>
  );
}

/**
 * Call in a layout effect, when what took the card's place is on the page: the focus moves to the same source of the
 * server's answer, or to the answer, and what the reader looks at stays where it is.
 */
export function settleLeftCard({ questionId, hadFocus, memoryId, words, above }: LeftCard): void {
  if (above > 0) scrollBy({ top: -above });
  if (!hadFocus) return;
  const answer = document.querySelector<HTMLElement>(`[data-answers="${questionId}"]`);
  const target = answer ?? document.querySelector<HTMLElement>(`[data-message="${questionId}"]`);
  // Its number in the text and its title below lead to the same memory.
  const links = [...(answer?.querySelectorAll<HTMLElement>(`[data-item="${memoryId ?? ''}"]`) ?? [])];
  const source = links.find(({ textContent }) => textContent === words) ?? links[0];
  if (source) return source.focus({ preventScroll: true });
  target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}

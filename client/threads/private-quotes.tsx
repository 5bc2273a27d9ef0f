/**
 * The confirmation before a thread whose answers quote memories is shared with people who cannot read these memories. Only the
 * server knows who can; offline the change waits like any other and is refused if there are such passages.
 */
import { useEffect, useRef, useState } from 'react';
import { ERRORS, type QuotedMemory } from '#shared/errors.ts';
import { newcomersOf, type Opening } from '#shared/threads/newcomers.ts';
import type { QuotesChoice } from '#shared/threads/quotes-choice.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { perform } from '#client/shell/perform.ts';
import { Button } from '#client/ui/button.tsx';

/** Makes the change with what the person chose. */
type Run = (quotes?: QuotesChoice) => Promise<unknown>;

interface Asked {
  memories: readonly QuotedMemory[];
  run: Run;
}

async function findQuoted(thread: Thread, change: Opening): Promise<readonly QuotedMemory[]> {
  if (newcomersOf(thread, change) === undefined) return [];
  const { workspaceId, id } = thread;
  try {
    return (await api('thread.private_quotes', { params: { workspaceId, id }, body: change })).result;
  } catch (failure) {
    const isAnswered = failure instanceof ApiProblem && failure.status !== ERRORS.not_found.status;
    if (isAnswered) throw failure;
    // No network, or the thread has not reached the server yet.
    return [];
  }
}

function Question({
  memories,
  onAnswer,
}: {
  memories: Asked['memories'];
  onAnswer: (quotes?: QuotesChoice) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
    box.current?.querySelector('button')?.focus();
  }, []);
  return (
    <div ref={box} role="alert" className="mt-4 rounded-card border border-line-strong bg-sunk p-4">
      <p className="font-medium">Share private passages?</p>
      <p className="mt-1 text-ink-muted">
        Answers in this thread quote memories that the new readers cannot open:
      </p>
      <ul aria-label="Quoted memories" className="mt-2 list-disc pl-5 wrap-anywhere">
        {memories.map(({ memoryId, title }) => (
          <li key={memoryId}>{title}</li>
        ))}
      </ul>
      <p className="mt-2 text-ink-muted">
        Passages that you leave out are removed from the answers for good.
      </p>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <Button onClick={() => onAnswer()}>Cancel</Button>
        <Button onClick={() => onAnswer('keep')}>Share passages</Button>
        <Button variant="primary" onClick={() => onAnswer('remove')}>
          Leave those passages out
        </Button>
      </div>
    </div>
  );
}

/** `share` makes a change at once or after its question, which the caller places. */
export function usePrivateQuotes(thread: Thread) {
  const [asked, setAsked] = useState<Asked>();
  const share = async (change: Opening, run: Run): Promise<boolean> => {
    setAsked(undefined);
    let isAsked = false;
    const isDone = await perform(async () => {
      const memories = await findQuoted(thread, change);
      isAsked = memories.length > 0;
      if (isAsked) setAsked({ memories, run });
      else await run();
    });
    return isDone && !isAsked;
  };
  const answer = ({ run }: Asked, quotes: QuotesChoice) => {
    setAsked(undefined);
    if (quotes !== undefined) void perform(() => run(quotes));
  };
  const question = asked && (
    <Question memories={asked.memories} onAnswer={(quotes) => answer(asked, quotes)} />
  );
  return { share, question };
}

/**
 * The sources of an answer: the numbers in its text lead to them, and below it each has a line, with the passage that was used
 * where the answer does not show it. A memory that this person does not have is not named.
 */
import { useCallback, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import type { Citation } from '#shared/threads/citation.ts';
import { showsPassage } from '#shared/threads/shown-passage.ts';
import { useIsWhole } from '#client/replica/use-known.ts';
import { useCitedTitles } from '#client/threads/queries.ts';
import { searchWithMemory, type MemoryLinkState } from '#client/shell/memory-address.ts';
import { LazyMarkdown } from '#client/ui/lazy-markdown.tsx';
import { TextSources } from '#client/ui/text-references.ts';

const OVER_PAGE: MemoryLinkState = { overPage: true };

interface SourceLinkProps {
  memoryId: Citation['memoryId'];
  /** From 1. */
  number: number;
  messageId: string | undefined;
  label?: string;
  children: ReactNode;
}

function SourceLink({ memoryId, number, messageId, label, children }: SourceLinkProps) {
  const { pathname, search } = useLocation();
  const passage = messageId === undefined ? undefined : { messageId, number };
  return (
    <Link
      data-item={memoryId}
      aria-label={label}
      to={{ pathname, search: searchWithMemory(search, memoryId, passage) }}
      state={OVER_PAGE}
      preventScrollReset
      className="text-primary underline underline-offset-2"
    >
      {children}
    </Link>
  );
}

interface AnswerProps {
  citations: readonly Citation[];
  /** The message that cites; without one a source opens at its beginning. */
  messageId?: string;
  /** The answer as Markdown. */
  text: string;
}

export function AnswerText({ citations, messageId, text }: AnswerProps) {
  const titles = useCitedTitles(citations);
  const drawSource = useCallback(
    (number: number, mark: string) => {
      const memoryId = citations[number - 1]?.memoryId;
      const title = memoryId && titles.get(memoryId);
      if (memoryId === undefined || title === undefined) return mark;
      return (
        <SourceLink memoryId={memoryId} number={number} messageId={messageId} label={`${mark} ${title}`}>
          {mark}
        </SourceLink>
      );
    },
    [citations, titles, messageId],
  );
  return (
    <TextSources value={drawSource}>
      <LazyMarkdown source={text} />
    </TextSources>
  );
}

/** In the order of their numbers. */
export function MessageSources({ citations, messageId, text }: AnswerProps) {
  const titles = useCitedTitles(citations);
  const isWhole = useIsWhole();
  return (
    <ol aria-label="Sources" className="mt-2.5 flex flex-col gap-1 text-xs leading-5 text-ink-muted">
      {citations.map(({ memoryId, quote }, index) => {
        const title = titles.get(memoryId);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the place in the list is the number of the source
          <li key={index} className="flex gap-1.5">
            <span className={`shrink-0 tabular-nums ${citations.length > 9 ? 'w-6' : ''}`}>
              [{index + 1}]
            </span>
            {title === undefined && isWhole ? (
              <span>This memory was deleted, or you do not have access to it.</span>
            ) : (
              <span className="min-w-0 wrap-anywhere">
                <SourceLink memoryId={memoryId} number={index + 1} messageId={messageId}>
                  {title ?? 'A memory that is still downloading'}
                </SourceLink>
                {title !== undefined && quote !== null && !showsPassage(text, quote) && (
                  <q className="ms-1.5">{quote}</q>
                )}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

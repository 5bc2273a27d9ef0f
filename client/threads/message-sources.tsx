/**
 * The sources under an answer: a numbered link to each memory, with the passage that was used where the answer does not
 * show it. A memory that this person does not have is not named.
 */
import { Link, useLocation } from 'react-router';
import type { Citation } from '#shared/threads/citation.ts';
import { showsPassage } from '#shared/threads/shown-passage.ts';
import { useIsWhole } from '#client/replica/use-known.ts';
import { useCitedTitles } from '#client/threads/queries.ts';
import { searchWithMemory, type MemoryLinkState } from '#client/shell/memory-address.ts';

const OVER_PAGE: MemoryLinkState = { overPage: true };

interface MessageSourcesProps {
  citations: readonly Citation[];
  /** The answer as Markdown. */
  shownIn: string;
}

/** In the order of their numbers. */
export function MessageSources({ citations, shownIn }: MessageSourcesProps) {
  const titles = useCitedTitles(citations);
  const isWhole = useIsWhole();
  const { pathname, search } = useLocation();
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
                <Link
                  data-item={memoryId}
                  to={{ pathname, search: searchWithMemory(search, memoryId) }}
                  state={OVER_PAGE}
                  preventScrollReset
                  className="text-primary underline underline-offset-2"
                >
                  {title ?? 'A memory that is still downloading'}
                </Link>
                {title !== undefined && quote !== null && !showsPassage(shownIn, quote) && (
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

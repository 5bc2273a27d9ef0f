/**
 * The sources of an answer, under it: a numbered link to each memory, with the passage that was used. A memory that this
 * person does not have is not named.
 */
import { Link, useLocation } from 'react-router';
import type { Citation } from '#shared/threads/citation.ts';
import { useIsFilling } from '#client/replica/use-sync-status.ts';
import { useCitedTitles } from '#client/threads/queries.ts';
import { searchWithMemory, type MemoryLinkState } from '#client/shell/memory-address.ts';

const OVER_PAGE: MemoryLinkState = { overPage: true };

/** In the order of their numbers. */
export function MessageSources({ citations }: { citations: readonly Citation[] }) {
  const titles = useCitedTitles(citations);
  const isFilling = useIsFilling();
  const { pathname, search } = useLocation();
  return (
    <ol aria-label="Sources" className="mt-2.5 flex flex-col gap-1 text-xs leading-5 text-ink-muted">
      {citations.map(({ memoryId, quote }, index) => {
        const title = titles.get(memoryId);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the place in the list is the number of the source
          <li key={index} className="flex gap-1.5">
            <span className="shrink-0 tabular-nums">[{index + 1}]</span>
            {title === undefined && !isFilling ? (
              <span>This memory is gone, or not yours to read.</span>
            ) : (
              <span className="min-w-0 wrap-anywhere">
                <Link
                  data-item={memoryId}
                  to={{ pathname, search: searchWithMemory(search, memoryId) }}
                  state={OVER_PAGE}
                  preventScrollReset
                  className="text-primary-text underline underline-offset-2"
                >
                  {title ?? 'A memory on its way to this device'}
                </Link>
                {title !== undefined && quote !== null && <q className="ms-1.5">{quote}</q>}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/**
 * `/{workspace_slug}/capsule`: twenty memories of the day, the same on every device, and what was saved on this day of
 * earlier years. Computed from the replica, so it works offline; "show less" is stored on this device.
 */
import { MessageCircleQuestion, Shuffle, Sparkles, ThumbsDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { capsuleSeed, pickCapsule, pickOnThisDay } from '#shared/memories/capsule.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { saveTagWeights, lessOfTag, readTagWeights } from '#client/memories/tag-weights.ts';
import { ListFilters } from '#client/memories/list-filters.tsx';
import { isFiltered, parseListView, writeListView, type ListView } from '#client/memories/list-view.ts';
import { ListSourceContext } from '#client/memories/list-source.ts';
import { MemoriesCard } from '#client/memories/memories-card.tsx';
import { useMemoryRows, useSpaceLinks } from '#client/memories/queries.ts';
import { useAskAbout } from '#client/memories/use-ask-about.ts';
import { selectMemories } from '#client/memories/select-memories.ts';
import { useLayoutChoice } from '#client/memories/use-layout-choice.ts';
import { useActor, useCan, useWorkspace } from '#client/workspaces/queries.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { showUndoToast } from '#client/shell/undo.ts';
import { Button } from '#client/ui/button.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import type { MenuEntry } from '#client/ui/menu-entry.ts';
import { localDay } from '#client/ui/local-day.ts';

interface Capsule {
  today: readonly MemoryHead[];
  onThisDay: readonly MemoryHead[];
}

/** The picks; they stay while the page is open, so that nothing jumps when a memory is archived or edited. */
function useCapsule(
  rows: readonly MemoryHead[],
  shuffle: number,
  taste: ReadonlyMap<string, number>,
): Capsule {
  const workspace = useWorkspace();
  const { userId } = useActor();
  const workspaceId = workspace?.id ?? '';
  // The day on which the page was opened: it does not change while the reader is in the middle.
  const [now] = useState(() => new Date());
  return useMemo(() => {
    const date = localDay(now);
    const seed = capsuleSeed(userId, workspaceId, shuffle === 0 ? date : `${date}/${shuffle}`);
    const onThisDay = pickOnThisDay(rows, date, localDay);
    const shown = new Set(onThisDay.map(({ id }) => id));
    const others = rows.filter(({ id }) => !shown.has(id));
    return { onThisDay, today: pickCapsule(others, { seed, now, tagWeights: taste }) };
  }, [rows, userId, workspaceId, now, shuffle, taste]);
}

/** The page. */
export function CapsulePage() {
  usePageTitle('Capsule');
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => parseListView(params), [params]);
  const setView = (next: ListView) =>
    setParams((current) => writeListView(current, next), { replace: true, preventScrollReset: true });
  const [layout, setLayout] = useLayoutChoice('capsule');
  const [shuffle, setShuffle] = useState(0);
  const [taste, setTaste] = useState(readTagWeights);
  const newestFirst = useMemoryRows('active');
  const links = useSpaceLinks();
  const source = useMemo(() => ({ newestFirst, links }), [newestFirst, links]);
  const rows = useMemo(() => selectMemories(source, view), [source, view]);
  const { today, onThisDay } = useCapsule(rows, shuffle, taste);

  const ask = useAskAbout();
  const can = useCan();
  const less = (tag: string) => {
    const before = taste;
    setTaste(lessOfTag(tag));
    showUndoToast(`You will see less of #${tag} here`, () => {
      saveTagWeights(before);
      setTaste(before);
    });
  };
  const moreEntries = (row: MemoryHead): readonly MenuEntry[] => [
    can('thread.create') && {
      label: 'Ask about it…',
      icon: <MessageCircleQuestion />,
      run: () => void ask(row),
    },
    ...row.tags.slice(0, 3).map((tag) => ({
      label: `Show less like #${tag}`,
      icon: <ThumbsDown />,
      run: () => less(tag),
    })),
  ];

  return (
    <>
      <PageBar
        title="Capsule"
        actions={
          <Button size="sm" icon={<Shuffle />} onClick={() => setShuffle((turn) => turn + 1)}>
            Shuffle
          </Button>
        }
      />
      <div className="mx-auto flex w-full max-w-6xl flex-col gap-4 px-3 pt-4 pb-28 sm:px-5 md:pb-16">
        {(newestFirst.length > 0 || isFiltered(view)) && (
          <ListSourceContext value={source}>
            <ListFilters
              view={view}
              onView={setView}
              layout={layout}
              onLayout={setLayout}
              without={['origin']}
              ordered={false}
            />
          </ListSourceContext>
        )}
        <FirstSyncNotice empty={newestFirst.length === 0}>
          {onThisDay.length > 0 && (
            <section aria-labelledby="on-this-day">
              <h2 id="on-this-day" className="mb-2 text-sm font-semibold">
                On this day
              </h2>
              <MemoriesCard label="On this day" rows={onThisDay} layout={layout} moreEntries={moreEntries} />
            </section>
          )}
          {today.length > 0 ? (
            <section aria-labelledby="coming-back">
              <h2 id="coming-back" className="mb-2 text-sm font-semibold">
                Coming back today
              </h2>
              <MemoriesCard
                label="Coming back today"
                rows={today}
                layout={layout}
                moreEntries={moreEntries}
              />
            </section>
          ) : (
            onThisDay.length === 0 && (
              <EmptyState icon={<Sparkles />} title="No memories to revisit yet">
                {isFiltered(view)
                  ? 'No memory matches these filters.'
                  : 'Each day the capsule brings back some of what you saved before.'}
              </EmptyState>
            )
          )}
        </FirstSyncNotice>
      </div>
    </>
  );
}

/**
 * `/{workspace_slug}/capsule`: memories of the day, the same on every device: those saved on this day in earlier years, those
 * related to the saves of the last days, and a random choice from the rest. One at a time with its reason, or as lists.
 * Computed from the replica, so it works offline; "show less" and kept memories are stored on this device.
 */
import { MessageCircleQuestion, Shuffle, ThumbsDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { capsuleSeed, pickCapsule, pickOnThisDay } from '#shared/memories/capsule.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { pathTo } from '#shared/pages.ts';
import { CONTEXT_MAX, readContext, withContext, type ContextItem } from '#shared/threads/message-context.ts';
import { CapsuleDeck } from '#client/memories/capsule-deck.tsx';
import {
  capsuleReason,
  recentSaves,
  tieToRecent,
  type CapsuleReason,
} from '#client/memories/capsule-reason.ts';
import { restingMemories } from '#client/memories/capsule-store.ts';
import { ListFilters } from '#client/memories/list-filters.tsx';
import { FACETS, isFiltered } from '#client/memories/list-view.ts';
import { ListSourceContext } from '#client/memories/list-source.ts';
import { MemoriesCard } from '#client/memories/memories-card.tsx';
import { useMemoryRows, useSpaceLinks, useSpacesOf } from '#client/memories/queries.ts';
import { selectMemories } from '#client/memories/select-memories.ts';
import { useLayoutChoice } from '#client/memories/use-layout-choice.ts';
import { useListView } from '#client/memories/use-list-view.ts';
import { useMemoryMenu } from '#client/memories/use-memory-menu.tsx';
import { findDraft, saveDraft } from '#client/shell/drafts.ts';
import { newThreadDraft } from '#client/threads/queries.ts';
import { useActor, useCan, useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { showUndoToast } from '#client/shell/undo.ts';
import { Button } from '#client/ui/button.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import type { MenuEntry } from '#client/ui/menu-entry.ts';
import { localDay } from '#client/ui/local-day.ts';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';

interface Capsule {
  /** Names the selection: another day, turn, person or filter is another one. */
  key: string;
  day: string;
  today: readonly MemoryHead[];
  onThisDay: readonly MemoryHead[];
  reasonOf: (row: MemoryHead) => CapsuleReason;
}

/** The picks and why each is among them. */
function useCapsule(
  rows: readonly MemoryHead[],
  { shuffle, taste, filters }: { shuffle: number; taste: ReadonlyMap<string, number>; filters: string },
): Capsule {
  const workspaceId = useWorkspace()?.id ?? '';
  const { userId } = useActor();
  const spacesOf = useSpacesOf();
  const all = useMemoryRows('active');
  // The day on which the page was opened: it does not change while the reader is in the middle.
  const [now] = useState(() => new Date());
  const day = localDay(now);
  const [resting] = useState(() => restingMemories(day));
  const recent = useMemo(() => recentSaves(all, { day, userId, spacesOf }), [all, day, userId, spacesOf]);
  return useMemo(() => {
    const seed = capsuleSeed(userId, workspaceId, shuffle === 0 ? day : `${day}/${shuffle}`);
    const onThisDay = pickOnThisDay(rows, day, localDay).filter(({ id }) => !resting.has(id));
    const shown = new Set(onThisDay.map(({ id }) => id));
    const today = pickCapsule(rows, {
      seed,
      now,
      tagWeights: taste,
      isWanted: ({ id }) => !resting.has(id) && !shown.has(id),
      isTied: (row) => tieToRecent(row, recent, spacesOf) !== undefined,
    });
    const reasonOf = (row: MemoryHead) => capsuleReason(row, recent, spacesOf);
    return { key: `${seed}?${filters}`, day, onThisDay, today, reasonOf };
  }, [rows, userId, workspaceId, now, day, shuffle, taste, filters, resting, recent, spacesOf]);
}

const VIEWS = [
  { value: 'cards', label: 'One at a time' },
  { value: 'list', label: 'List' },
] as const;
const VIEW_SETTING = 'loci-capsule-view';

export function CapsulePage() {
  usePageTitle('Capsule');
  const [view, setView] = useListView();
  const [layout, setLayout] = useLayoutChoice('capsule');
  const [shuffle, setShuffle] = useState(0);
  const [taste, setTaste] = useState(readTagWeights);
  const newestFirst = useMemoryRows('active');
  const links = useSpaceLinks();
  const source = useMemo(() => ({ newestFirst, links }), [newestFirst, links]);
  const rows = useMemo(() => selectMemories(source, view), [source, view]);
  const filters = FACETS.map((facet) => view[facet].join(',')).join('&');
  const { key, day, today, onThisDay, reasonOf } = useCapsule(rows, { shuffle, taste, filters });
  const ids = useMemo(() => [...onThisDay, ...today].map(({ id }) => id), [onThisDay, today]);
  const [isDeck, setIsDeck] = useState(() => readSetting(VIEW_SETTING) !== 'list');
  const again = () => setShuffle((turn) => turn + 1);

  const ask = useAskAbout();
  const can = useCan();
  const menuOf = useMemoryMenu();
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

  const lists = [
    { id: 'on-this-day', label: 'On this day', rows: onThisDay },
    { id: 'coming-back', label: 'Coming back today', rows: today },
  ];
  return (
    <>
      <PageBar
        title="Capsule"
        actions={
          <>
            <SegmentedControl
              label="View"
              options={VIEWS}
              value={isDeck ? 'cards' : 'list'}
              onValueChange={(next) => {
                setIsDeck(next === 'cards');
                writeSetting(VIEW_SETTING, next === 'list' ? next : undefined);
              }}
            />
            <Button size="sm" icon={<Shuffle />} onClick={again}>
              {/* A narrow phone has no room for it beside the title. */}
              <span className="max-sm:sr-only">Shuffle</span>
            </Button>
          </>
        }
      />
      <div className="column flex flex-col gap-4 pt-3 pb-28 md:pb-16">
        {(newestFirst.length > 0 || isFiltered(view)) && (
          <ListSourceContext value={source}>
            <ListFilters
              view={view}
              onView={setView}
              layout={layout}
              onLayout={setLayout}
              without={['origin']}
              ordered={false}
              laid={!isDeck}
              splits={false}
            />
          </ListSourceContext>
        )}
        <FirstSyncNotice>
          {ids.length === 0 ? (
            <EmptyState title="No memories to revisit yet">
              {isFiltered(view)
                ? 'No memory matches these filters.'
                : 'Each day the capsule brings back some of what you saved before.'}
            </EmptyState>
          ) : isDeck ? (
            <CapsuleDeck
              deckKey={key}
              day={day}
              ids={ids}
              reasonOf={reasonOf}
              entriesOf={(row) => menuOf(row, moreEntries(row))}
              onShuffle={again}
            />
          ) : (
            <>
              {lists.map(
                ({ id, label, rows: listed }) =>
                  listed.length > 0 && (
                    <section key={id} aria-labelledby={id}>
                      <h2 id={id} className="mb-2 font-serif text-name">
                        {label}
                      </h2>
                      <MemoriesCard label={label} rows={listed} layout={layout} moreEntries={moreEntries} />
                    </section>
                  ),
              )}
            </>
          )}
        </FirstSyncNotice>
      </div>
    </>
  );
}

/**
 * "Ask about it": starts a new thread with a draft that is about the memory. Opens the page of a new thread; a draft begun
 * there before stays in front.
 */
function useAskAbout(): (row: MemoryHead) => Promise<void> {
  const navigate = useNavigate();
  const { userId } = useActor();
  const slug = useWorkspaceSlug();
  return async (row) => {
    const key = newThreadDraft(userId, slug);
    const { items, text } = readContext((await findDraft(key))?.text ?? '');
    const others = items.filter(({ id }) => id !== row.id).slice(1 - CONTEXT_MAX);
    const about: ContextItem = { kind: 'memory', id: row.id, title: memoryTitle(row) };
    await saveDraft(key, withContext([...others, about], text));
    await navigate(pathTo('thread_new', { workspace_slug: slug }));
  };
}

const TASTE_KEY = 'loci-capsule-taste';
/** Each "show less" halves the share of a tag. */
const STEP = 0.5;

/** Which tags a person wants to see less of, stored in this browser only. Tag → weight below 1. */
function readTagWeights(): ReadonlyMap<string, number> {
  const stored = readSetting(TASTE_KEY);
  if (stored === undefined) return new Map();
  try {
    const parsed: unknown = JSON.parse(stored);
    if (!Array.isArray(parsed)) return new Map();
    return new Map(
      parsed.flatMap((entry: unknown) => {
        if (!Array.isArray(entry)) return [];
        const [tag, weight]: unknown[] = entry;
        return typeof tag === 'string' && typeof weight === 'number' ? [[tag, weight] as const] : [];
      }),
    );
  } catch {
    // Not written by this code; it is only a preference.
    return new Map();
  }
}

/** Replaces the stored weights. */
function saveTagWeights(weights: ReadonlyMap<string, number>): void {
  writeSetting(TASTE_KEY, weights.size === 0 ? undefined : JSON.stringify([...weights]));
}

/** Lowers a tag's weight and returns all weights. */
function lessOfTag(tag: string): ReadonlyMap<string, number> {
  const weights = new Map(readTagWeights());
  weights.set(tag, (weights.get(tag) ?? 1) * STEP);
  saveTagWeights(weights);
  return weights;
}

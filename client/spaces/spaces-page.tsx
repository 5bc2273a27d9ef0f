/**
 * `/{workspace_slug}/spaces`: all spaces as cards in an order kept in the address, and the recently deleted ones. All data
 * comes from the replica.
 */
import { ArrowDownNarrowWide, Plus, SquareCheck, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import type { Space } from '#shared/spaces/space.ts';
import { restoreSpace } from '#client/spaces/actions.ts';
import {
  useArrangement,
  useDeletedSpaces,
  useSpaceCounts,
  useSpaceRights,
  useSpaces,
} from '#client/spaces/queries.ts';
import type { Known } from '#client/replica/use-known.ts';
import { SpaceBulkBar } from '#client/spaces/space-bulk-bar.tsx';
import { SpaceCard } from '#client/spaces/space-card.tsx';
import { SpaceName } from '#client/spaces/space-mark-card.tsx';
import { useCan } from '#client/workspaces/queries.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { openModal } from '#client/shell/modals.ts';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { useSelection, type Selecting } from '#client/shell/use-selection.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { Button } from '#client/ui/button.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';

const SORTS = [
  { value: 'name', label: 'Name' },
  { value: 'created', label: 'Newest first' },
  { value: 'updated', label: 'Last change' },
  { value: 'size', label: 'Most memories' },
  { value: 'sidebar', label: 'As in the sidebar' },
] as const;

type Sort = (typeof SORTS)[number]['value'];

function readSort(text: string | null): Sort {
  return SORTS.find(({ value }) => value === text)?.value ?? 'name';
}

/** `spaces` are ordered by name. */
function sorted(
  spaces: readonly Space[],
  sort: Exclude<Sort, 'sidebar'>,
  counts: Known<ReadonlyMap<string, number>>,
): readonly Space[] {
  if (sort === 'name') return spaces;
  if (sort === 'size') return spaces.toSorted((a, b) => (counts?.get(b.id) ?? 0) - (counts?.get(a.id) ?? 0));
  return spaces.toSorted((a, b) => (a[sort] < b[sort] ? 1 : -1));
}

function SortButton({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  return (
    <DropdownMenu
      trigger={
        <Button size="sm" variant="ghost" icon={<ArrowDownNarrowWide />}>
          <span className="max-sm:sr-only">{SORTS.find(({ value }) => value === sort)?.label}</span>
        </Button>
      }
      entries={[
        {
          kind: 'choice',
          label: 'Order',
          value: sort,
          options: SORTS,
          set: (value) => onSort(readSort(value)),
        },
      ]}
    />
  );
}

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,14.5rem),1fr))] gap-5';

function CardShapes() {
  return (
    <div className={GRID}>
      {[0, 1, 2, 3].map((index) => (
        <Skeleton key={index} className="h-54 rounded-card" />
      ))}
    </div>
  );
}

function NoSpaces() {
  const can = useCan();
  const may = can('space.create');
  return (
    <EmptyState
      title="No spaces yet"
      action={
        may && (
          <Button variant="primary" icon={<Plus />} onClick={() => openModal('createSpace', {})}>
            Create a space
          </Button>
        )
      }
    >
      {may
        ? 'A space groups what belongs together: a project, a trip, a reading list. A memory can be in many.'
        : 'Spaces that members of this workspace create appear here.'}
    </EmptyState>
  );
}

function DeletedSpaces() {
  const rights = useSpaceRights();
  const rows = useDeletedSpaces().filter((space) => rights('space.remove', space));
  if (rows.length === 0) return null;
  return (
    <section aria-label="Recently deleted" className="mt-8 border-t border-line pt-4">
      <h2 className="text-xs font-medium text-ink-faint">Recently deleted, kept for {TRASH_DAYS} days</h2>
      <ul className="mt-1 divide-y divide-line">
        {rows.map((space) => (
          <li key={space.id} className="flex min-h-11 items-center gap-3">
            <span className="min-w-0 flex-1 truncate">
              <SpaceName space={space} />
            </span>
            {space.deletedAt !== null && (
              <RelativeTime at={space.deletedAt} className="text-xs text-ink-faint max-sm:hidden" />
            )}
            <Button size="sm" variant="ghost" icon={<Undo2 />} onClick={() => void restoreSpace(space)}>
              Restore<span className="sr-only"> {space.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The card whose link has the focus. */
function focusedCard(): string | undefined {
  const focused = document.activeElement;
  return focused instanceof HTMLElement ? focused.dataset['card'] : undefined;
}

function isOnCard(): boolean {
  return focusedCard() !== undefined;
}

/** The keys of lists, on the card that has the focus. */
function useSelectionKeys(selecting: Selecting, isSelecting: boolean, end: () => void): void {
  const toggle = (range: boolean) => {
    const id = focusedCard();
    if (id !== undefined) selecting.toggle(id, range);
  };
  useShortcut('list.select', () => toggle(false), { when: isOnCard });
  useShortcut('list.select-range', () => toggle(true), { when: isOnCard });
  useShortcut('list.clear', end, { enabled: isSelecting });
}

export function SpacesPage() {
  const [params, setParams] = useSearchParams();
  const sort = readSort(params.get('sort'));
  const spaces = useSpaces();
  const counts = useSpaceCounts();
  const can = useCan();
  const arranged = useArrangement();
  const shown = useMemo(
    () => (sort === 'sidebar' ? [...arranged.pinned, ...arranged.spaces] : sorted(spaces, sort, counts)),
    [spaces, sort, counts, arranged],
  );
  const selecting = useSelection(shown);
  const [isChoosing, setChoosing] = useState(false);
  const isSelecting = isChoosing || selecting.selected.size > 0;
  const endSelecting = () => {
    selecting.clear();
    setChoosing(false);
  };
  useSelectionKeys(selecting, isSelecting, endSelecting);
  usePageTitle('Spaces');
  const setSort = (next: Sort) =>
    setParams(next === 'name' ? {} : { sort: next }, { replace: true, preventScrollReset: true });
  return (
    <>
      <PageBar
        title="Spaces"
        actions={
          <>
            {spaces.length > 1 && (
              <Button
                size="sm"
                variant="ghost"
                icon={<SquareCheck />}
                aria-pressed={isSelecting}
                onClick={() => (isSelecting ? endSelecting() : setChoosing(true))}
              >
                <span className="max-sm:sr-only">Select</span>
              </Button>
            )}
            {spaces.length > 1 && <SortButton sort={sort} onSort={setSort} />}
            {can('space.create') && (
              <Button
                size="sm"
                variant="primary"
                icon={<Plus />}
                onClick={() => openModal('createSpace', {})}
              >
                New space
              </Button>
            )}
          </>
        }
      />
      <div className="column pt-3 pb-28 md:pb-16">
        {spaces.length === 0 ? (
          <FirstSyncNotice shape={<CardShapes />}>
            <NoSpaces />
          </FirstSyncNotice>
        ) : (
          <ul aria-label="Spaces" className={GRID}>
            {shown.map((space) => (
              <li key={space.id}>
                <SpaceCard
                  space={space}
                  count={counts && (counts.get(space.id) ?? 0)}
                  selected={selecting.selected.has(space.id)}
                  selecting={isSelecting}
                  onSelect={(range) => selecting.toggle(space.id, range)}
                />
              </li>
            ))}
          </ul>
        )}
        <DeletedSpaces />
      </div>
      <SpaceBulkBar
        spaces={shown.filter(({ id }) => selecting.selected.has(id))}
        total={shown.length}
        selecting={selecting}
        onEnd={endSelecting}
      />
    </>
  );
}

/**
 * The filters above a list: one button per facet with counts, the chosen values, the order and the layout. Changes only the
 * view in its props; the page stores the view in its address.
 */
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { memo, useMemo } from 'react';
import { pathTo } from '#shared/pages.ts';
import {
  FACETS,
  isFiltered,
  timeOf,
  toggleFacet,
  type Facet,
  type ListView,
} from '#client/memories/list-view.ts';
import { KIND_LABELS } from '#client/memories/memory-kind.tsx';
import { originLabel } from '#client/memories/origin-label.ts';
import { useListSource } from '#client/memories/list-source.ts';
import { SaveFilterButton } from '#client/memories/save-filter-button.tsx';
import { countFacet } from '#client/memories/select-memories.ts';
import type { CollectionLayout } from '#client/memories/collection-plan.ts';
import { SpaceMark } from '#client/spaces/space-mark-card.tsx';
import { useWideWindow } from '#client/memories/use-wide-window.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { useSpaces } from '#client/spaces/queries.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';
import type { MenuChoice, MenuEntry } from '#client/ui/menu-entry.ts';
import { PickerList, type PickerOption } from '#client/ui/picker-list.tsx';
import { Popover } from '#client/ui/popover.tsx';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';

interface ListFiltersProps {
  view: ListView;
  onView: (view: ListView) => void;
  layout: CollectionLayout;
  onLayout: (layout: CollectionLayout) => void;
  /** Facets that make no sense on the page of the list. */
  without?: readonly Facet[];
  /** False where the list has an order of its own. */
  ordered?: boolean;
  /** False where there is no choice of layout. */
  laid?: boolean;
  /** False on pages with several lists, where none can have a reading pane. */
  splits?: boolean;
  /** True where the list can be saved as a filter of the sidebar. */
  saves?: boolean;
}

const FACET_LABELS: Readonly<Record<Facet, string>> = {
  space: 'Space',
  tag: 'Tag',
  type: 'Kind',
  origin: 'From',
};

const SORTS = [
  { value: 'created', label: 'Date saved' },
  { value: 'updated', label: 'Last change' },
  { value: 'title', label: 'Title' },
] as const;

const LAYOUTS = [
  { value: 'list', label: 'List' },
  { value: 'compact', label: 'Compact' },
  { value: 'grid', label: 'Grid' },
  { value: 'split', label: 'Reading' },
] as const;

/** Below this width, in CSS pixels, a row of layouts has no place beside the filters: they are in the menu of the order. */
const PHONE = 640;

const NARROW_LAYOUTS = LAYOUTS.filter(({ value }) => value !== 'split');

/** A filter that is not set, and the order: words, with their edge where the list has its own. */
const WORD = 'px-1.5! pointer-coarse:h-7!';

/** Value of a facet → words and picture. */
function useFacetWords(): (facet: Facet, value: string) => Pick<PickerOption, 'label' | 'icon'> {
  const spaces = useSpaces();
  const byId = useMemo(
    () => new Map<string, (typeof spaces)[number]>(spaces.map((space) => [space.id, space])),
    [spaces],
  );
  return (facet, value) => {
    if (facet === 'space') {
      const space = byId.get(value);
      return space
        ? { label: space.name, icon: <SpaceMark color={space.color} /> }
        : { label: 'Unknown space' };
    }
    if (facet === 'tag') return { label: value };
    if (facet === 'origin') return { label: originLabel(value) };
    return { label: new Map<string, string>(Object.entries(KIND_LABELS)).get(value) ?? value };
  };
}

interface FacetProps extends Pick<ListFiltersProps, 'view' | 'onView'> {
  facet: Facet;
}

/** Counted only while it is open: counting touches every row. */
function FacetChoices({ facet, view, onView }: FacetProps) {
  const source = useListSource();
  const words = useFacetWords();
  const chosen = view[facet];
  const options = useMemo(() => {
    const counts = new Map(countFacet(source, view, facet));
    for (const value of view[facet]) if (!counts.has(value)) counts.set(value, 0);
    return [...counts].sort(([, a], [, b]) => b - a);
  }, [source, view, facet]);
  const label = FACET_LABELS[facet];
  const tagsPage = pathTo('tags', { workspace_slug: useWorkspaceSlug() });
  return (
    <>
      <PickerList
        label={label}
        placeholder={`Find a ${label.toLowerCase()}`}
        options={options.map(([value, count]) => ({
          value,
          ...words(facet, value),
          state: chosen.includes(value) ? 'on' : 'off',
          after: count,
        }))}
        onToggle={(value) => onView(toggleFacet(view, facet, value))}
        emptyText="No options."
      />
      {facet === 'tag' && (
        <LinkButton to={tagsPage} size="sm" variant="ghost" className="mt-1">
          Manage tags
        </LinkButton>
      )}
    </>
  );
}

function FacetButton(props: FacetProps) {
  const { facet, view } = props;
  const words = useFacetWords();
  const chosen = view[facet];
  const label = FACET_LABELS[facet];
  return (
    <Popover
      label={`Filter by ${label.toLowerCase()}`}
      trigger={
        <Button
          size="sm"
          variant={chosen.length > 0 ? 'soft' : 'ghost'}
          className={chosen.length > 0 ? 'rounded-full! pointer-coarse:h-7!' : WORD}
        >
          {chosen.length === 0
            ? label
            : `${label}: ${chosen.map((value) => words(facet, value).label).join(', ')}`}
        </Button>
      }
    >
      <FacetChoices {...props} />
    </Popover>
  );
}

function isSort(value: string): value is ListView['sort'] {
  return SORTS.some((sort) => sort.value === value);
}

interface ViewButtonProps extends Pick<ListFiltersProps, 'view' | 'onView'> {
  ordered: boolean;
  /** Left out where the layouts have their own control. */
  layout: MenuChoice | undefined;
}

/** The order of the list, on a phone also its layout; nothing where there is neither to choose. */
function ViewButton({ view, onView, ordered, layout }: ViewButtonProps) {
  const sorts = SORTS.map((sort) =>
    timeOf({ ...view, sort: sort.value }) === 'deletedAt' ? { ...sort, label: 'Date deleted' } : sort,
  );
  const label = sorts.find((sort) => sort.value === view.sort)?.label ?? '';
  const Arrow = view.reversed ? ArrowUp : ArrowDown;
  if (!ordered && !layout) return null;
  const order: MenuEntry[] = [
    {
      kind: 'choice',
      label: 'Order',
      value: view.sort,
      options: sorts,
      set: (sort) => isSort(sort) && onView({ ...view, sort }),
    },
    { kind: 'line' },
    {
      kind: 'check',
      label: view.sort === 'title' ? 'From Z to A' : 'Oldest first',
      checked: view.reversed,
      set: (reversed) => onView({ ...view, reversed }),
    },
  ];
  return (
    <DropdownMenu
      trigger={
        <Button size="sm" variant="ghost" className={WORD}>
          {ordered ? label : layout?.label}
          {ordered && <Arrow aria-hidden="true" className="size-3.5!" />}
        </Button>
      }
      entries={[...(ordered ? order : []), ordered && layout && { kind: 'line' }, layout]}
    />
  );
}

/** Scrolls sideways where it does not fit. Needs a ListSourceContext above it. */
export const ListFilters = memo(function ListFilters(props: ListFiltersProps) {
  const { view, onView, layout, onLayout, without = [], ordered = true, laid = true } = props;
  const { splits = true, saves = false } = props;
  const maySplit = useWideWindow() && splits;
  const isPhone = !useWideWindow(PHONE);
  const layouts = maySplit ? LAYOUTS : NARROW_LAYOUTS;
  const shown = maySplit || layout !== 'split' ? layout : 'list';
  useShortcut(
    'list.layout',
    () => {
      const at = layouts.findIndex(({ value }) => value === shown);
      const next = layouts[(at + 1) % layouts.length];
      if (next) onLayout(next.value);
    },
    { enabled: laid },
  );
  const layoutChoice = { label: 'Layout', options: layouts, value: shown };
  const setLayout = (value: string) => {
    const next = layouts.find((known) => known.value === value);
    if (next) onLayout(next.value);
  };
  const clear = () => onView({ ...view, space: [], tag: [], type: [], origin: [] });
  return (
    <fieldset aria-label="Filter and order" className="flex min-w-0 items-center gap-1">
      <div className="-ms-2.5 flex min-w-0 flex-1 items-center gap-0.5 overflow-x-auto px-1 [scrollbar-width:none]">
        {FACETS.filter((facet) => !without.includes(facet)).map((facet) => (
          <FacetButton key={facet} facet={facet} view={view} onView={onView} />
        ))}
        {isFiltered(view) && (
          <Button size="sm" variant="ghost" icon={<X />} onClick={clear}>
            Clear filters
          </Button>
        )}
        {saves && <SaveFilterButton />}
      </div>
      <ViewButton
        view={view}
        onView={onView}
        ordered={ordered}
        layout={laid && isPhone ? { kind: 'choice', ...layoutChoice, set: setLayout } : undefined}
      />
      {laid && !isPhone && <SegmentedControl {...layoutChoice} onValueChange={onLayout} />}
    </fieldset>
  );
});

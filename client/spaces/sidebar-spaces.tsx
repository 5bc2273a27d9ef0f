/**
 * The spaces in the sidebar as the person has arranged them: the pinned ones, then all others. Memories can be dropped on each;
 * filing itself is a prop, since it belongs to memories.
 */
import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, Folders, Plus, Search, ChevronRight } from 'lucide-react';
import {
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type SyntheticEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useMatch } from 'react-router';
import { type Id, isId } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import type { SidebarSection } from '#shared/spaces/sidebar-order.ts';
import type { Space } from '#shared/spaces/space.ts';
import { useIsWhole } from '#client/replica/use-known.ts';
import { useSpaceDrop } from '#client/shell/drag.ts';
import { openModal } from '#client/shell/modals.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { SidebarLink, sidebarRow } from '#client/shell/sidebar-link.tsx';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { useArrangement, useSpaceRights } from '#client/spaces/queries.ts';
import { collapseSection } from '#client/spaces/sidebar-actions.ts';
import { SidebarSpaceRow, type RowActs } from '#client/spaces/sidebar-space-row.tsx';
import { useSidebarMoves, type Step } from '#client/spaces/use-sidebar-moves.ts';
import { useSpaceMenu } from '#client/spaces/use-space-menu.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { ContextMenu } from '#client/ui/context-menu.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { Input } from '#client/ui/input.tsx';
import { LiveRegion } from '#client/ui/live-region.tsx';
import { countOf } from '#shared/english.ts';

interface SidebarSpacesProps {
  collapsed: boolean;
  onFile: (ids: readonly Id<'memory'>[], space: Space) => void;
}

const HEADING = 'text-xs! text-ink-faint!';
/** Number of spaces from which a search field is shown. */
const FIELD_FROM = 13;

/** Latest closures behind an object that stays the same, so that rows are not drawn again for them. */
function useStable(acts: RowActs): RowActs {
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  const [stable] = useState<RowActs>(() => ({
    entries: (spaceId) => latest.current.entries(spaceId),
    file: (ids, space) => latest.current.file(ids, space),
    drop: (dragged, beside, place) => latest.current.drop(dragged, beside, place),
  }));
  return stable;
}

/** All sections; from some number on with a field that finds spaces by name. */
export function SidebarSpaces({ collapsed, onFile }: SidebarSpacesProps) {
  const slug = useWorkspaceSlug();
  const arrangement = useArrangement();
  const isWhole = useIsWhole();
  const rights = useSpaceRights();
  const can = useCan();
  const pinnedNow = useRef<Id<'space'>>(undefined);
  const menuOf = useSpaceMenu((id) => {
    pinnedNow.current = id;
  });
  const moves = useSidebarMoves(arrangement);
  const [words, setWords] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const under = useRef<Id<'space'>>(undefined);
  const current = useMatch('/:workspace_slug/spaces/:space_slug/*')?.params.space_slug;

  const { pinned, spaces: others } = arrangement;
  const all = useMemo(() => [...pinned, ...others], [pinned, others]);
  const hasField = !collapsed && all.length >= FIELD_FROM;
  const wanted = hasField ? words.trim().toLowerCase() : '';
  const found = useMemo(
    () => (wanted === '' ? undefined : all.filter(({ name }) => name.toLowerCase().includes(wanted))),
    [all, wanted],
  );
  const mayArrange = can('sidebar.update') === true;

  const acts = useStable({
    entries(spaceId) {
      const space = all.find(({ id }) => id === spaceId);
      if (!space) return [];
      const step = (to: Step) =>
        mayArrange && {
          label: to === 'up' ? 'Move up' : 'Move down',
          icon: to === 'up' ? <ArrowUp /> : <ArrowDown />,
          keys: keysOf(to === 'up' ? 'space.up' : 'space.down'),
          disabled: !moves.canStep(spaceId, to),
          run: () => moves.step(spaceId, to),
        };
      return [step('up'), step('down'), mayArrange && { kind: 'line' }, ...menuOf(space)];
    },
    file: onFile,
    drop: (dragged, beside, place) => moves.drop(dragged, beside, place === 'below'),
  });

  const stepFocused = (step: Step) => {
    const spaceId = spaceIdAt(document.activeElement);
    if (spaceId !== undefined && mayArrange && found === undefined) moves.step(spaceId, step);
  };
  useShortcut('space.up', () => stepFocused('up'), { inDialog: true, when: isOnRow });
  useShortcut('space.down', () => stepFocused('down'), { inDialog: true, when: isOnRow });

  // The row of a space that was pinned by its menu is drawn anew elsewhere, without the focus that its menu had.
  const focusPinned = useEffectEvent((rows: readonly Space[]) => {
    const space = rows.find(({ id }) => id === pinnedNow.current);
    pinnedNow.current = undefined;
    if (space) frame.current?.querySelector<HTMLElement>(`[data-space="${space.id}"] a`)?.focus();
  });
  useEffect(() => focusPinned(all), [all]);

  const showRow = useEffectEvent((id: string) =>
    frame.current?.querySelector(`[data-space="${id}"]`)?.scrollIntoView({ block: 'nearest' }),
  );
  const currentId = all.find((space) => space.slug === current)?.id;
  useEffect(() => {
    if (currentId !== undefined) showRow(currentId);
  }, [currentId]);

  const rowsOf = (list: readonly Space[], label: string) => (
    <ul aria-label={label} className="mt-0.5 flex flex-col gap-0.5">
      {list.map((space) => (
        <SidebarSpaceRow
          key={space.id}
          space={space}
          workspaceSlug={slug}
          collapsed={collapsed}
          movable={mayArrange && found === undefined}
          fileable={rights('space.file', space)}
          acts={acts}
        />
      ))}
    </ul>
  );
  const isOpen = (section: SidebarSection) => !arrangement.collapsed.includes(section);
  /** Of a section that is collapsed, only the space that is open. */
  const shownOf = (section: SidebarSection) =>
    isOpen(section) ? arrangement[section] : arrangement[section].filter((space) => space.slug === current);

  const noteRow = (event: SyntheticEvent<HTMLElement>) => {
    // React events of an open row menu bubble here although it is elsewhere in the document; the menu handles them.
    if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return;
    under.current = spaceIdAt(event.target);
    // Beside the rows the browser's own menu opens.
    if (under.current === undefined) event.stopPropagation();
  };
  return (
    <div ref={frame} className="mt-4">
      <LiveRegion text={moves.moved} />
      <ContextMenu entries={() => (under.current === undefined ? [] : acts.entries(under.current))}>
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys bubble from the focused link */}
        <div onKeyDown={stepThrough} onContextMenuCapture={noteRow} onPointerDownCapture={noteRow}>
          {found === undefined && pinned.length > 0 && (
            <div className="mb-3">
              {!collapsed && (
                <SectionHeading
                  section="pinned"
                  mayArrange={mayArrange}
                  isOpen={isOpen('pinned')}
                  onDrop={moves.dropOnHeading}
                >
                  <p className={clsx(sidebarRow(false), HEADING, 'hover:bg-transparent')}>Pinned</p>
                </SectionHeading>
              )}
              {rowsOf(shownOf('pinned'), 'Pinned spaces')}
            </div>
          )}
          {collapsed ? (
            <SpacesLink collapsed />
          ) : (
            <SectionHeading
              section="spaces"
              mayArrange={mayArrange}
              isOpen={isOpen('spaces')}
              onDrop={moves.dropOnHeading}
            >
              <SpacesLink collapsed={false} />
              {can('space.create') && (
                <IconButton
                  label="New space"
                  icon={<Plus />}
                  size="xs"
                  onClick={() => openModal('createSpace', {})}
                />
              )}
            </SectionHeading>
          )}
          {hasField && (
            <div className="my-1">
              <Input
                type="search"
                aria-label="Find a space"
                placeholder="Find a space"
                icon={<Search />}
                value={words}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setWords(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key !== 'Escape' || words === '') return;
                  event.preventDefault();
                  event.stopPropagation();
                  setWords('');
                }}
                className="text-sm"
              />
            </div>
          )}
          {rowsOf(found ?? shownOf('spaces'), found === undefined ? 'Spaces in the sidebar' : 'Spaces found')}
        </div>
      </ContextMenu>
      <LiveRegion text={found === undefined ? '' : countOf(found.length, 'space')} />
      {found?.length === 0 && (
        <p className="px-2 py-1 text-xs text-ink-faint">No space has this in its name.</p>
      )}
      {!collapsed && isWhole && all.length === 0 && (
        <p className="px-2 py-1 text-xs text-ink-faint">Spaces group what belongs together.</p>
      )}
    </div>
  );
}

/** The way to the page of all spaces. */
function SpacesLink({ collapsed }: { collapsed: boolean }) {
  const slug = useWorkspaceSlug();
  return (
    <SidebarLink
      to={pathTo('spaces', { workspace_slug: slug })}
      end
      label="Spaces"
      icon={<Folders />}
      collapsed={collapsed}
      keys={keysOf('go.spaces')}
      className={clsx(!collapsed && HEADING)}
    />
  );
}

/** The space whose row contains the element. */
function spaceIdAt(target: EventTarget | null): Id<'space'> | undefined {
  const id =
    target instanceof Element ? target.closest<HTMLElement>('[data-space]')?.dataset['space'] : undefined;
  return isId('space', id) ? id : undefined;
}

/** Whether a row of the sidebar has the focus. */
function isOnRow(): boolean {
  return spaceIdAt(document.activeElement) !== undefined;
}

/** Moves the focus between the rows of all sections, and to the menu of a row and back. */
function stepThrough(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { currentTarget, target } = event;
  const links = [...currentTarget.querySelectorAll<HTMLElement>('[data-space] a')];
  const row = target instanceof Element ? target.closest('[data-space]') : null;
  const at = links.findIndex((link) => row?.contains(link));
  const isLink = at >= 0 && links[at] === target;
  const menu = row?.querySelector<HTMLElement>('button');
  const to = new Map<string, HTMLElement | null | undefined>([
    ['ArrowDown', isLink ? links[at + 1] : target instanceof HTMLInputElement ? links[0] : undefined],
    ['ArrowUp', isLink ? links[at - 1] : undefined],
    ['Home', isLink ? links[0] : undefined],
    ['End', isLink ? links.at(-1) : undefined],
    ['ArrowRight', isLink ? menu : undefined],
    ['ArrowLeft', target === menu ? links[at] : undefined],
  ]).get(event.key);
  if (!to) return;
  event.preventDefault();
  to.focus();
}

interface HeadingProps {
  section: SidebarSection;
  /** Whether this person has a sidebar to arrange. */
  mayArrange: boolean;
  isOpen: boolean;
  onDrop: (spaceId: Id<'space'>, section: SidebarSection) => void;
  children: ReactNode;
}

/** The heading of a section, which accepts a space dropped on it. */
function SectionHeading({ section, mayArrange, isOpen, onDrop, children }: HeadingProps) {
  const { ref, over } = useSpaceDrop<HTMLDivElement>((id) => onDrop(id, section));
  return (
    <div
      ref={ref}
      className={clsx(
        'flex items-center rounded-control',
        over && 'bg-primary-soft outline-2 outline-primary',
      )}
    >
      {children}
      {mayArrange && (
        <PlainIconButton
          label={section === 'pinned' ? 'Pinned spaces' : 'All other spaces'}
          icon={
            <ChevronRight className={clsx('transition-transform duration-fast', isOpen && 'rotate-90')} />
          }
          size="xs"
          aria-expanded={isOpen}
          onClick={() => void collapseSection(section, isOpen)}
        />
      )}
    </div>
  );
}

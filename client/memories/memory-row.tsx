/**
 * One memory as a line of a list: kind, title, first words, tags, spaces and when; two lines where it is narrow, and
 * without first words where it is compact. Fixed heights, so that long lists scroll without measuring.
 */
import { clsx } from 'clsx';
import { smallPicture } from '#client/memories/card-face.ts';
import { ItemFrame, ItemLink, ItemMark, ItemMenu } from '#client/memories/item-frame.tsx';
import type { MemoryItem } from '#client/memories/memory-item.ts';
import { KindIcon } from '#client/memories/memory-kind.tsx';
import { MemoryStatus } from '#client/memories/memory-status.tsx';
import { domainOf, memoryExcerpt } from '#shared/memories/memory-text.ts';
import { SpaceMark } from '#client/spaces/space-mark-card.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

/** Height of a row in pixels; narrow lists have a second line. */
export const ROW_HEIGHT = {
  list: { wide: 44, narrow: 68 },
  compact: { wide: 32, narrow: 40 },
} as const;
/** More words than fit on the widest line. */
const DETAIL_LENGTH = 200;

function Marks({ item }: { item: MemoryItem }) {
  const { row, spaces } = item;
  const shown = row.tags.slice(0, 2);
  return (
    <span className="hidden shrink-0 items-center gap-2 text-xs text-ink-faint @2xl:flex">
      {shown.map((tag) => (
        <span key={tag} className="max-w-28 truncate">
          #{tag}
        </span>
      ))}
      {row.tags.length > shown.length && <span>+{row.tags.length - shown.length}</span>}
      {spaces.length > 0 && (
        <span className="flex items-center gap-1" title={spaces.map((space) => space.name).join(', ')}>
          <span className="sr-only">in {spaces.map((space) => space.name).join(', ')}</span>
          {spaces.slice(0, 3).map((space) => (
            <SpaceMark key={space.id} color={space.color} className="size-2.5" />
          ))}
        </span>
      )}
    </span>
  );
}

function Detail({ row }: Pick<MemoryItem, 'row'>) {
  const detail = domainOf(row.url) ?? (memoryExcerpt(row).slice(0, DETAIL_LENGTH) || (row.filename ?? ''));
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2">
      <span className="@lg:hidden empty:hidden">
        <MemoryStatus row={row} />
      </span>
      <span className="min-w-0 flex-1 truncate text-xs text-ink-muted @lg:text-sm">
        {detail.replaceAll('\n', ' · ')}
      </span>
    </span>
  );
}

/** The picture of a file in small, or the icon of its kind. Decorative; it makes way for the box that selects. */
function RowSign({ item: { row, selecting } }: { item: MemoryItem }) {
  const picture = smallPicture(row);
  const hidden = selecting ? 'invisible' : 'pointer-fine:group-hover/item:invisible';
  if (picture === undefined) return <KindIcon type={row.type} className={clsx('size-4', hidden)} />;
  const place = typeof row.metadata['pages'] === 'number' ? 'object-top' : 'object-center';
  return (
    <img
      src={picture}
      alt=""
      width={24}
      height={24}
      decoding="async"
      className={clsx('size-6 rounded-[4px] border border-line object-cover', place, hidden)}
    />
  );
}

/** Draws one item. */
export function MemoryRow({ item, compact }: { item: MemoryItem; compact: boolean }) {
  const { row } = item;
  return (
    <ItemFrame
      item={item}
      className={clsx(
        'flex h-full items-center gap-2.5 rounded-control px-2 hover:bg-hover',
        item.reading && item.active && 'bg-active hover:bg-active',
        item.selected &&
          'bg-primary-soft hover:bg-primary-soft forced-colors:outline-2 forced-colors:-outline-offset-2',
      )}
    >
      <span className="relative grid size-6 shrink-0 place-items-center">
        <RowSign item={item} />
        <ItemMark item={item} className="absolute inset-0 grid place-items-center" />
      </span>
      <div className="flex min-w-0 flex-1 flex-col @lg:flex-row @lg:items-baseline @lg:gap-3">
        <ItemLink
          item={item}
          className={clsx(
            'min-w-0 truncate rounded-control',
            compact ? 'text-sm' : 'font-medium @lg:max-w-[60%] @lg:shrink-0',
          )}
        />
        {!compact && <Detail row={row} />}
      </div>
      <Marks item={item} />
      <span className="hidden @lg:contents">
        <MemoryStatus row={row} />
      </span>
      <span className="relative flex shrink-0 items-center justify-end @lg:w-24">
        <RelativeTime
          at={row.deletedAt ?? row.created}
          className="hidden text-xs whitespace-nowrap text-ink-faint tabular-nums @lg:block pointer-fine:group-hover/item:invisible pointer-coarse:pe-9"
        />
        <ItemMenu item={item} className="@lg:absolute @lg:end-0" />
      </span>
    </ItemFrame>
  );
}

/**
 * One memory as a line of a list: an icon of its kind, its title above one line of its text, its picture, space and time; the
 * title alone where it is compact. Fixed heights, so that long lists scroll without measuring.
 */
import { clsx } from 'clsx';
import { smallPicture } from '#client/memories/card-face.ts';
import { ItemFrame, ItemLink, ItemMark, ItemMenu } from '#client/memories/item-frame.tsx';
import type { MemoryItem } from '#client/memories/memory-item.ts';
import { MemorySign } from '#client/memories/memory-sign.tsx';
import { MemoryStatus } from '#client/memories/memory-status.tsx';
import { DAY_MS } from '#shared/constants.ts';
import { domainOf, memoryExcerpt } from '#shared/memories/memory-text.ts';
import type { Space } from '#shared/spaces/space.ts';
import { SpaceMark, SpaceName } from '#client/spaces/space-mark-card.tsx';
import { formatClock, formatMoment, monthName } from '#shared/english.ts';
import { localDay } from '#client/ui/local-day.ts';
import { useMinuteClock } from '#client/ui/minute-clock.ts';

/** Height of a row in pixels, in wide and in narrow lists. */
export const ROW_HEIGHT = {
  list: { wide: 62, narrow: 62 },
  compact: { wide: 34, narrow: 40 },
} as const;
/** More words than fit on the widest line. */
const DETAIL_LENGTH = 240;

function detailOf(row: MemoryItem['row']): string {
  const words = memoryExcerpt(row).slice(0, DETAIL_LENGTH).replaceAll('\n', ' · ');
  return words || (domainOf(row.url) ?? '');
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className="hidden shrink-0 gap-2 text-xs text-ink-faint empty:hidden @4xl:flex">
      {tags.slice(0, 2).map((tag) => (
        <span key={tag} className="max-w-28 truncate">
          #{tag}
        </span>
      ))}
      {tags.length > 2 && <span>+{tags.length - 2}</span>}
    </span>
  );
}

/** By name where there is room, else by its mark. */
function Spaces({ spaces }: { spaces: readonly Space[] }) {
  const [first] = spaces;
  if (first === undefined) return null;
  const names = spaces.map((space) => space.name).join(', ');
  return (
    <span title={names} className="flex shrink-0 items-center gap-1 text-xs text-ink-muted">
      <span className="sr-only">in {names}</span>
      <span aria-hidden="true" className="hidden max-w-40 @2xl:inline-flex">
        <SpaceName space={first} />
      </span>
      <span className="@2xl:hidden">
        <SpaceMark color={first.color} />
      </span>
      {spaces.length > 1 && <span aria-hidden="true">+{spaces.length - 1}</span>}
    </span>
  );
}

function Picture({ row }: Pick<MemoryItem, 'row'>) {
  const source = smallPicture(row);
  if (source === undefined) return null;
  const place = typeof row.metadata['pages'] === 'number' ? 'object-top' : 'object-center';
  return (
    <img
      src={source}
      alt=""
      width={72}
      height={48}
      decoding="async"
      className={clsx(
        'h-11 w-14 shrink-0 rounded-md border border-line object-cover @lg:h-12 @lg:w-18',
        place,
      )}
    />
  );
}

/** Draws one item. */
export function MemoryRow({ item, compact }: { item: MemoryItem; compact: boolean }) {
  const { row, spaces, at } = item;
  return (
    <ItemFrame
      item={item}
      className={clsx(
        'flex h-full items-center gap-3 rounded-control px-2 hover:bg-hover @lg:gap-3.5',
        item.reading && item.active && 'bg-active hover:bg-active',
        item.selected &&
          'bg-primary-soft hover:bg-primary-soft forced-colors:outline-2 forced-colors:-outline-offset-2',
      )}
    >
      <span
        className={clsx(
          'relative grid size-6.5 shrink-0 place-items-center',
          !compact && 'mt-2.5 self-start',
        )}
      >
        <MemorySign
          row={row}
          large
          className={item.selecting ? 'invisible' : 'pointer-fine:group-hover/item:invisible'}
        />
        <ItemMark item={item} className="absolute inset-0 grid place-items-center" />
      </span>
      <div className="min-w-0 flex-1">
        <ItemLink
          item={item}
          className={clsx('block max-w-3xl truncate rounded-control', compact ? 'text-sm' : 'text-row')}
        />
        {!compact && (
          <p className="flex max-w-3xl items-baseline gap-2 text-code leading-5! text-ink-muted">
            <RowTime at={at} clock={item.dated} className="shrink-0 text-xs text-ink-faint @lg:hidden" />
            <span className="truncate">{detailOf(row)}</span>
          </p>
        )}
      </div>
      {/* Not before the spaces, which would move what stands before them. */}
      {spaces && !compact && <Picture row={row} />}
      <MemoryStatus row={row} />
      {spaces && <Tags tags={row.tags} />}
      {spaces && <Spaces spaces={spaces} />}
      <span className="relative flex shrink-0 items-center justify-end pointer-fine:min-w-8 @lg:w-20">
        <RowTime
          at={at}
          clock={item.dated}
          className={clsx(
            !compact && 'hidden @lg:block',
            'text-xs whitespace-nowrap text-ink-faint tabular-nums pointer-fine:group-hover/item:invisible pointer-coarse:pe-9',
          )}
        />
        <ItemMenu item={item} className={compact ? 'absolute end-0' : '@lg:absolute @lg:end-0'} />
      </span>
    </ItemFrame>
  );
}

interface RowTimeProps {
  at: string;
  /** The list has the heading `Yesterday` above its rows: these show the time too. */
  clock: boolean;
  className?: string;
}

/** The exact moment on hover. */
function RowTime({ at, clock, className }: RowTimeProps) {
  const now = useMinuteClock() ?? 0;
  const moment = new Date(at);
  const [day, today] = [localDay(moment), localDay(now)];
  const isTimed = day >= (clock ? localDay(now - DAY_MS) : today);
  const date = `${moment.getDate()} ${monthName(moment).slice(0, 3)}`;
  const words = day.slice(0, 4) === today.slice(0, 4) ? date : `${date} ${moment.getFullYear()}`;
  return (
    <time dateTime={at} title={formatMoment(moment)} className={className}>
      {isTimed ? formatClock(moment) : words}
    </time>
  );
}

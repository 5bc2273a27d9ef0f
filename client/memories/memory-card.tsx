/**
 * One memory as a card of a grid: its kind, title, excerpt and places. Fixed height; a long text fades out at the
 * bottom instead of being cut mid-line.
 */
import { clsx } from 'clsx';
import { ItemFrame, ItemLink, ItemMark, ItemMenu } from '#client/memories/item-frame.tsx';
import type { MemoryItem } from '#client/memories/memory-item.ts';
import { KIND_LABELS, KindIcon } from '#client/memories/memory-kind.tsx';
import { MemoryStatus } from '#client/memories/memory-status.tsx';
import { domainOf, memoryExcerpt } from '#shared/memories/memory-text.ts';
import { SpaceDot } from '#client/spaces/space-dot-card.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

/** Pixels of a card without the gap. */
export const CARD_HEIGHT = 188;

function CardFoot({ item }: { item: MemoryItem }) {
  const { row, spaces } = item;
  const [first] = spaces;
  return (
    <div className="flex min-w-0 items-center gap-2 text-xs text-ink-faint">
      {first && (
        <span className="flex min-w-0 items-center gap-1.5">
          <SpaceDot color={first.color} className="size-2" />
          <span className="truncate">{first.name}</span>
          {spaces.length > 1 && <span className="shrink-0">+{spaces.length - 1}</span>}
        </span>
      )}
      {row.tags.slice(0, first ? 1 : 3).map((tag) => (
        <span key={tag} className="min-w-0 truncate">
          #{tag}
        </span>
      ))}
      <RelativeTime at={row.deletedAt ?? row.created} className="ms-auto shrink-0 tabular-nums" />
    </div>
  );
}

/** Draws one item. */
export function MemoryCard({ item }: { item: MemoryItem }) {
  const { row } = item;
  const excerpt = memoryExcerpt(row);
  return (
    <ItemFrame
      item={item}
      className={clsx(
        'flex h-full flex-col gap-1.5 rounded-card border bg-surface p-3.5 shadow-card transition-colors duration-fast',
        item.selected ? 'border-primary bg-primary-soft' : 'border-line hover:border-line-strong',
      )}
    >
      <div className="flex h-6 items-center gap-1.5 text-xs text-ink-faint">
        <KindIcon type={row.type} className="size-3.5" />
        <span className="min-w-0 truncate">{domainOf(row.url) ?? row.filename ?? KIND_LABELS[row.type]}</span>
        <span
          className={clsx(
            'ms-auto pointer-coarse:pe-7 pointer-fine:group-hover/item:invisible',
            item.selecting && 'invisible',
          )}
        >
          <MemoryStatus row={row} />
        </span>
        <span className="absolute end-2 top-2.5 flex items-center gap-1 rounded-control">
          <ItemMark item={item} className="grid place-items-center rounded-control bg-surface px-2" />
          <ItemMenu item={item} className="rounded-control bg-surface" />
        </span>
      </div>
      <ItemLink item={item} className="line-clamp-2 rounded-card leading-5 font-medium break-words" />
      <p className="min-h-0 flex-1 overflow-hidden text-xs leading-5 break-words whitespace-pre-line text-ink-muted mask-b-from-60%">
        {excerpt}
      </p>
      <CardFoot item={item} />
    </ItemFrame>
  );
}

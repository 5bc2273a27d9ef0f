/**
 * One memory as a card of a grid, by what it is: a picture, a page with its site, code, a list, or its first words. Its
 * height is computed in card-face.ts, so each part has a fixed number of lines here.
 */
import { clsx } from 'clsx';
import { Square, SquareCheckBig } from 'lucide-react';
import type { CSSProperties } from 'react';
import { cardFace, cardSize, sourceName, type CardFace, type CardSize } from '#client/memories/card-face.ts';
import { CardPicture } from '#client/memories/card-picture.tsx';
import { ItemFrame, ItemLink, ItemMark, ItemMenu } from '#client/memories/item-frame.tsx';
import type { MemoryItem } from '#client/memories/memory-item.ts';
import { KIND_LABELS } from '#client/memories/memory-kind.tsx';
import { MemorySign } from '#client/memories/memory-sign.tsx';
import { MemoryStatus } from '#client/memories/memory-status.tsx';
import { SpaceMark } from '#client/spaces/space-mark-card.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

function CardFoot({ item }: { item: MemoryItem }) {
  const { row, spaces, at } = item;
  const [first, ...others] = spaces ?? [];
  return (
    <div className="mt-auto flex h-4 min-w-0 shrink-0 items-center gap-2 text-xs text-ink-faint">
      {first && (
        <span className="flex min-w-0 items-center gap-1.5">
          <SpaceMark color={first.color} className="size-2.5" />
          <span className="truncate">{first.name}</span>
          {others.length > 0 && <span className="shrink-0">+{others.length}</span>}
        </span>
      )}
      {spaces &&
        row.tags.slice(0, first ? 1 : 3).map((tag) => (
          <span key={tag} className="min-w-0 truncate">
            #{tag}
          </span>
        ))}
      <RelativeTime at={at} className="ms-auto shrink-0 tabular-nums" />
    </div>
  );
}

const clamp = (lines: number): CSSProperties => ({ WebkitLineClamp: lines });
const CLAMPED = '[display:-webkit-box] overflow-hidden [-webkit-box-orient:vertical]';

function Words({ text, lines }: { text: string; lines: number }) {
  if (lines === 0) return null;
  return (
    <p
      style={clamp(lines)}
      className={clsx(CLAMPED, 'shrink-0 text-xs leading-5 break-words whitespace-pre-line text-ink-muted')}
    >
      {text}
    </p>
  );
}

function Code({ lines, height }: { lines: readonly string[]; height: number }) {
  return (
    <pre
      style={{ height }}
      className="shrink-0 overflow-hidden rounded-control border border-line/60 bg-sunk px-3 py-[9px] font-mono text-code leading-5.5! text-ink-muted mask-r-from-85%"
    >
      {lines.join('\n')}
    </pre>
  );
}

function List({ face, height }: { face: Extract<CardFace, { kind: 'list' }>; height: number }) {
  return (
    <div style={{ height }} className="shrink-0 overflow-hidden text-xs leading-5 text-ink-muted">
      {face.lines.map(({ text, done }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- The lines of one text have no other name.
        <div key={index} className="flex h-5 min-w-0 items-center gap-2">
          {done === undefined ? (
            <span aria-hidden="true" className="mx-1 size-1 shrink-0 rounded-full bg-ink-faint" />
          ) : (
            <>
              {done ? (
                <SquareCheckBig aria-hidden="true" className="size-3 shrink-0 text-primary" />
              ) : (
                <Square aria-hidden="true" className="size-3 shrink-0 text-ink-faint" />
              )}
              <span className="sr-only">{done ? 'Done:' : 'To do:'}</span>
            </>
          )}
          <span className={clsx('truncate', done && 'line-through opacity-75')}>{text}</span>
        </div>
      ))}
    </div>
  );
}

function Face({ face, size }: { face: CardFace; size: CardSize }) {
  switch (face.kind) {
    case 'picture':
      return null;
    case 'text':
      return <Words text={face.text} lines={size.textLines} />;
    case 'code':
      return (
        <>
          <Words text={face.lead} lines={size.textLines} />
          <Code lines={face.code} height={size.part} />
        </>
      );
    default:
      return (
        <>
          <Words text={face.lead} lines={size.textLines} />
          <List face={face} height={size.part} />
        </>
      );
  }
}

/** Draws one item in a column of this width. */
export function MemoryCard({ item, width }: { item: MemoryItem; width: number }) {
  const { row } = item;
  const face = cardFace(row);
  const size = cardSize(row, width);
  return (
    <ItemFrame
      item={item}
      className={clsx(
        'flex h-full flex-col overflow-hidden rounded-card border bg-raised transition-colors duration-fast',
        item.selected
          ? 'border-primary bg-primary-soft forced-colors:outline-3'
          : 'border-line hover:border-line-strong',
      )}
    >
      {face.kind === 'picture' && <CardPicture row={row} face={face} height={size.part} />}
      <div className="flex min-h-0 flex-1 flex-col gap-2 p-3.5">
        <div className="flex h-6 shrink-0 items-center gap-1.5 text-xs text-ink-faint">
          <MemorySign row={row} />
          <span className="min-w-0 truncate">{sourceName(row) ?? KIND_LABELS[row.type]}</span>
          <span
            className={clsx(
              'ms-auto pointer-coarse:pe-7 pointer-fine:group-hover/item:invisible',
              item.selecting && 'invisible',
            )}
          >
            <MemoryStatus row={row} />
          </span>
          <span className="absolute end-2 flex items-center gap-1 rounded-control">
            <ItemMark item={item} className="grid place-items-center rounded-control bg-raised px-2" />
            <ItemMenu item={item} className="rounded-control bg-raised" />
          </span>
        </div>
        <div
          style={clamp(size.titleLines)}
          className={clsx(CLAMPED, 'shrink-0 text-sm leading-5 font-medium break-words')}
        >
          <ItemLink item={item} className="rounded-card" />
        </div>
        <Face face={face} size={size} />
        <CardFoot item={item} />
      </div>
    </ItemFrame>
  );
}

/** One memory of the capsule: its reason, its content, and its actions. Can be swiped to the side. */
import { clsx } from 'clsx';
import { CalendarHeart, CalendarDays, Clock, Folder, Hash, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { domainOf, memoryExcerpt, memoryTitle } from '#shared/memories/memory-text.ts';
import { cardFace } from '#client/memories/card-face.ts';
import { CardPicture } from '#client/memories/card-picture.tsx';
import type { CapsuleReason } from '#client/memories/capsule-reason.ts';
import { KIND_LABELS } from '#client/memories/memory-kind.tsx';
import { MemorySign } from '#client/memories/memory-sign.tsx';
import { NoteReferences } from '#client/memories/note-references.tsx';
import { useSpacesOf } from '#client/memories/queries.ts';
import { useSwipe } from '#client/memories/use-swipe.ts';
import { useBody } from '#client/replica/use-body.ts';
import { SpaceName } from '#client/spaces/space-mark-card.tsx';
import { searchWithMemory, type MemoryLinkState } from '#client/shell/memory-address.ts';
import { Badge } from '#client/ui/badge.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { LazyMarkdown } from '#client/ui/lazy-markdown.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

const OVER_PAGE: MemoryLinkState = { overPage: true };
/** A longer note is cut, with the way to all of it below; one that is only too high for a narrow card ends in a fade. */
const FITS = { characters: 900, lines: 16 } as const;
/** Characters that a card draws: more than it shows. */
const WORDS_MAX = 2_000;
/** CSS pixels. */
const PICTURE_HEIGHT = 160;

const ICONS: Readonly<Record<CapsuleReason['kind'], LucideIcon>> = {
  anniversary: CalendarHeart,
  space: Folder,
  tag: Hash,
  unchanged: Clock,
  saved: CalendarDays,
};

function Reason({ reason }: { reason: CapsuleReason }) {
  const Icon = ICONS[reason.kind];
  return (
    <p className="flex min-w-0 items-center gap-2 text-sm font-medium text-primary">
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 break-words">{reason.text}</span>
    </p>
  );
}

function Words({ row, readAll }: { row: MemoryHead; readAll: ReactNode }) {
  const body = useBody(row);
  const text = row.type === 'note' ? (body.text ?? '') : '';
  const isLong = text.length > FITS.characters || text.split('\n').length > FITS.lines;
  return (
    <>
      <div className="min-h-0 flex-1 overflow-hidden mask-b-from-[calc(100%-3rem)]" inert={isLong}>
        {text.trim() === '' ? (
          <p className="leading-7 break-words whitespace-pre-line text-ink-muted">{memoryExcerpt(row)}</p>
        ) : (
          <NoteReferences>
            <LazyMarkdown source={text.slice(0, WORDS_MAX)} />
          </NoteReferences>
        )}
      </div>
      {isLong && readAll}
    </>
  );
}

interface CapsuleCardProps {
  row: MemoryHead;
  reason: CapsuleReason;
  onThrow: (side: 'left' | 'right') => void;
}

/**
 * Every card has the same height, so that the buttons below stay where they are; a longer text ends in a fade. Mount it with the
 * memory's id as key, so that the next card does not inherit the movement of a swiped one.
 */
export function CapsuleCard({ row, reason, onThrow }: CapsuleCardProps) {
  const { search } = useLocation();
  const spaces = useSpacesOf()(row.id);
  const link = {
    to: { search: searchWithMemory(search, row.id) },
    state: OVER_PAGE,
    preventScrollReset: true,
  };
  const { offset, handlers } = useSwipe(onThrow);
  const face = cardFace(row);
  return (
    <article
      {...handlers}
      aria-labelledby="capsule-title"
      className="flex h-104 max-h-[max(20rem,62dvh)] touch-pan-y flex-col overflow-hidden rounded-dialog border border-line bg-raised"
      style={{ transform: offset === 0 ? undefined : `translateX(${offset}px) rotate(${offset / 60}deg)` }}
    >
      {face.kind === 'picture' && <CardPicture row={row} face={face} height={PICTURE_HEIGHT} />}
      <div className="flex min-h-0 flex-1 flex-col gap-4 p-5 sm:p-8">
        <Reason reason={reason} />
        <h2
          id="capsule-title"
          className="-m-1 shrink-0 p-1 font-serif text-page text-balance break-words line-clamp-3"
        >
          <Link {...link} draggable={false} data-item={row.id} className="rounded-control hover:underline">
            {memoryTitle(row)}
          </Link>
        </h2>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-faint">
          <span className="flex items-center gap-1.5">
            <MemorySign row={row} />
            {domainOf(row.url) ?? row.filename ?? KIND_LABELS[row.type]}
          </span>
          <RelativeTime at={row.created} />
          {spaces.map((space) => (
            <SpaceName key={space.id} space={space} />
          ))}
          {row.tags.map((tag) => (
            <span key={tag}>#{tag}</span>
          ))}
          {row.archived && <Badge>Archived</Badge>}
        </div>
        <Words
          row={row}
          readAll={
            <Link {...link} className={clsx(buttonStyle({ size: 'sm' }), 'shrink-0 self-center')}>
              Read all of it
            </Link>
          }
        />
        {offset !== 0 && (
          <p aria-hidden="true" className="text-center text-sm font-medium text-ink-muted">
            {offset > 0 ? 'Keep' : 'Archive'}
          </p>
        )}
      </div>
    </article>
  );
}

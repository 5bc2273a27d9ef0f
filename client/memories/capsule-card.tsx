/** One memory of the capsule: its reason, its content, and its actions. Can be swiped to the side. */
import { clsx } from 'clsx';
import { CalendarHeart, CalendarDays, Clock, Folder, Hash, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { domainOf, memoryExcerpt, memoryTitle } from '#shared/memories/memory-text.ts';
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
/** A longer text ends in a fade; the whole text is one click away. */
const FITS = { characters: 900, lines: 16 } as const;

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
  const text = row.type === 'note' ? body.text : undefined;
  if (text === undefined || text.trim() === '') {
    const excerpt = memoryExcerpt(row);
    return excerpt === '' ? null : (
      <p className="leading-7 break-words whitespace-pre-line text-ink-muted">{excerpt}</p>
    );
  }
  const isLong = text.length > FITS.characters || text.split('\n').length > FITS.lines;
  return (
    <>
      <div className={clsx(isLong && 'max-h-104 overflow-hidden mask-b-from-75%')} inert={isLong}>
        <NoteReferences>
          <LazyMarkdown source={text} />
        </NoteReferences>
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

/** Mount it with the memory's id as key, so that the next card does not inherit the movement of a swiped one. */
export function CapsuleCard({ row, reason, onThrow }: CapsuleCardProps) {
  const { search } = useLocation();
  const spaces = useSpacesOf()(row.id);
  const link = {
    to: { search: searchWithMemory(search, row.id) },
    state: OVER_PAGE,
    preventScrollReset: true,
  };
  const { offset, handlers } = useSwipe(onThrow);
  return (
    <article
      {...handlers}
      aria-labelledby="capsule-title"
      className="flex min-h-80 touch-pan-y flex-col gap-4 rounded-dialog border border-line bg-raised p-5 sm:p-8"
      style={{ transform: offset === 0 ? undefined : `translateX(${offset}px) rotate(${offset / 60}deg)` }}
    >
      <Reason reason={reason} />
      <h2 id="capsule-title" className="font-serif text-page text-balance break-words">
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
          <Link {...link} className={clsx(buttonStyle({ size: 'sm' }), 'self-center')}>
            Read all of it
          </Link>
        }
      />
      {offset !== 0 && (
        <p aria-hidden="true" className="text-center text-sm font-medium text-ink-muted">
          {offset > 0 ? 'Keep' : 'Archive'}
        </p>
      )}
    </article>
  );
}

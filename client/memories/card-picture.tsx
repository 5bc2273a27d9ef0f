/**
 * The picture on a card: at once the small version that is part of the memory, then the preview that the server drew. The
 * place is as high as the picture, so nothing moves, and the file itself is not loaded for a list.
 */
import { clsx } from 'clsx';
import { useState } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { CardFace } from '#client/memories/card-face.ts';
import { usePreview } from '#client/replica/use-preview.ts';
import { useSource } from '#client/replica/use-file.ts';

/** Cards that scroll past quickly load nothing. */
const SETTLED_MS = 200;

function Sharp({ blob, fit }: { blob: Blob; fit: string }) {
  const source = useSource(blob);
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading');
  if (state === 'broken') return null;
  return (
    <img
      ref={source}
      alt=""
      decoding="async"
      onLoad={() => setState('shown')}
      onError={() => setState('broken')}
      className={state === 'shown' ? clsx('absolute inset-0 size-full', fit) : 'hidden'}
    />
  );
}

interface CardPictureProps {
  row: MemoryHead;
  face: Extract<CardFace, { kind: 'picture' }>;
  height: number;
}

/** Decorative: the title describes it. */
export function CardPicture({ row, face, height }: CardPictureProps) {
  const blob = usePreview(row, SETTLED_MS);
  // A page is recognised by its beginning.
  const fit = face.isPage ? 'object-cover object-top' : 'object-cover';
  return (
    <div
      style={{ height }}
      className={clsx('relative shrink-0 overflow-hidden bg-sunk', face.isPage && 'border-b border-line')}
    >
      <img
        src={face.source}
        alt=""
        width={face.width}
        height={face.height}
        className={clsx('size-full', fit)}
      />
      {blob && <Sharp blob={blob} fit={fit} />}
    </div>
  );
}

/** Text of people as it was written, in place of formatted text that is not there yet or cannot be made. */
import { useMemo } from 'react';
import { useGrowing } from '#client/ui/use-growing.ts';

/** Lines that a page lays out without a noticeable pause. */
const PIECE_LINES = 2_000;

/** The text cut at line breaks; nearly every one is a single piece. */
function piecesOf(source: string): string[] {
  const lines = source.split('\n');
  if (lines.length <= PIECE_LINES) return [source];
  const count = Math.ceil(lines.length / PIECE_LINES);
  return Array.from({ length: count }, (_, index) =>
    lines.slice(index * PIECE_LINES, (index + 1) * PIECE_LINES).join('\n'),
  );
}

/** Same height as formatted text in the common case of short paragraphs, so that nothing jumps. */
export function PlainText({ source }: { source: string }) {
  const pieces = useMemo(() => piecesOf(source), [source]);
  const shown = useGrowing(pieces.length);
  return (
    <div className="reading wrap-anywhere whitespace-pre-wrap">
      {pieces.length === 1
        ? source
        : // An empty last line of a piece has its height only with a break of its own.
          pieces
            .slice(0, shown)
            .map((piece, index) => <div key={index}>{piece.replace(/(^|\n)$/, '$1\n')}</div>)}
    </div>
  );
}

/** Text of people as it was written, in place of formatted text that is not there yet or cannot be made. */
import { useMemo } from 'react';
import { cutText } from '#client/ui/cut-text.ts';
import { useGrowing } from '#client/ui/use-growing.ts';

/** Lines that a page lays out without a noticeable pause. */
const LINES = /(?:[^\n]*\n){1,500}|[^\n]+$/g;

/** The text cut at line breaks, and within lines that are very long; nearly every one is a single piece. */
const piecesOf = (source: string): string[] => (source.match(LINES) ?? []).flatMap(cutText);

/** Same height as formatted text in the common case of short paragraphs, so that nothing jumps. */
export function PlainText({ source }: { source: string }) {
  const pieces = useMemo(() => piecesOf(source), [source]);
  const shown = useGrowing(pieces.length);
  return (
    <div className="reading wrap-anywhere whitespace-pre-wrap">
      {pieces.length <= 1
        ? source
        : pieces.slice(0, shown).map((piece, index) => (
            <span key={index} className="inline-block w-full">
              {piece}
            </span>
          ))}
    </div>
  );
}

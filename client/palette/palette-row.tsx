/**
 * One line of the palette, and words with their matches marked.
 * Plain text only: a mark is an element, never markup out of a memory.
 */
import { Command } from 'cmdk';
import type { ReactNode } from 'react';
import { makeSnippet, type HighlightWords } from '#shared/memories/search-snippet.ts';
import { Kbd } from '#client/ui/kbd.tsx';

/** Marks what matched; without matches the beginning of the text. */
export function Marked({ text, words }: { text: string; words: HighlightWords | undefined }) {
  const snippet = makeSnippet(text, words ?? { words: [], prefixes: [] }, 120);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [start, end] of snippet.ranges) {
    parts.push(snippet.text.slice(at, start));
    parts.push(
      <mark key={start} className="rounded-xs bg-primary-soft font-medium text-primary-soft-ink">
        {snippet.text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return (
    <>
      {snippet.cut.before && '…'}
      {parts}
      {snippet.text.slice(at)}
      {snippet.cut.after && '…'}
    </>
  );
}

interface PaletteRowProps {
  value: string;
  icon: ReactNode;
  children: ReactNode;
  detail?: ReactNode;
  keys?: string | undefined;
  onSelect: () => void;
}

/** Highlighted by cmdk when it is the current one. */
export function PaletteRow({ value, icon, children, detail, keys, onSelect }: PaletteRowProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 py-1.5 data-[selected=true]:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-faint"
    >
      {icon}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{children}</span>
        {detail !== undefined && <span className="block truncate text-xs text-ink-muted">{detail}</span>}
      </span>
      {keys !== undefined && <Kbd keys={keys} />}
    </Command.Item>
  );
}

/** The three kinds of memory as icon and word. Complete by type; kinds are rendered only here. */
import { FileText, Link2, StickyNote } from 'lucide-react';
import type { MemoryHead } from '#shared/memories/memory.ts';

/** Kind → word for filters and details. */
export const KIND_LABELS: Readonly<Record<MemoryHead['type'], string>> = {
  note: 'Note',
  link: 'Link',
  file: 'File',
};

const ICONS = { note: StickyNote, link: Link2, file: FileText } as const;

/** Decorative: the word is shown elsewhere or is not needed. */
export function KindIcon({ type, className = 'size-4' }: { type: MemoryHead['type']; className?: string }) {
  const Icon = ICONS[type];
  return <Icon aria-hidden="true" className={`shrink-0 text-ink-faint ${className}`} />;
}

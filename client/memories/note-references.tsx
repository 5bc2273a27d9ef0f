/**
 * `[[references]]` in notes as links to the memories of that title, among those that this person may read.
 */
import type { ReactNode } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { referenceName, type Reference } from '#shared/markdown/references.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { MemoryLink } from '#client/memories/memory-link.tsx';
import { drawMemory } from '#client/memories/note-files.tsx';
import { TextMemories, TextReferences, type DrawReference } from '#client/ui/text-references.ts';

/** The titles of one list of rows; of equal ones the newest counts. A list that changed is another list. */
const titles = new WeakMap<readonly MemoryHead[], ReadonlyMap<string, string>>();

function titlesOf(rows: readonly MemoryHead[]): ReadonlyMap<string, string> {
  const known = titles.get(rows);
  if (known) return known;
  const byName = new Map<string, string>();
  // Rows are newest first, so the oldest are written first and the newest stay.
  for (const { id, title } of rows.toReversed()) if (title) byName.set(referenceName(title), id);
  titles.set(rows, byName);
  return byName;
}

interface NoteReferenceProps {
  reference: Reference;
  written: string;
}

function NoteReference({ reference: { name, label }, written }: NoteReferenceProps) {
  const id = useQuery((view) => titlesOf(view.list('memory')).get(name), [name]);
  return id === undefined ? written : <MemoryLink id={id}>{label}</MemoryLink>;
}

const drawReference: DrawReference = (reference, written) => (
  <NoteReference reference={reference} written={written} />
);

/** Around formatted notes. */
export function NoteReferences({ children }: { children: ReactNode }) {
  return (
    <TextMemories value={drawMemory}>
      <TextReferences value={drawReference}>{children}</TextReferences>
    </TextMemories>
  );
}

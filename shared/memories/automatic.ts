/**
 * What a language model wrote about a memory, as the server keeps it in `metadata.automatic`. A title or a tag is automatic as
 * long as it stands as it was written: what a person changes is theirs.
 */
import type { MemoryHead } from './memory.ts';

export interface Automatic {
  hasTitle: boolean;
  summary: string | undefined;
  tags: ReadonlySet<string>;
}

function writtenIn(metadata: MemoryHead['metadata']): ReadonlyMap<string, unknown> {
  const { automatic } = metadata;
  return new Map(typeof automatic === 'object' && automatic !== null ? Object.entries(automatic) : []);
}

export function automaticOf({ metadata, title }: Pick<MemoryHead, 'metadata' | 'title'>): Automatic {
  const written = writtenIn(metadata);
  const [summary, tags] = [written.get('summary'), written.get('tags')];
  return {
    hasTitle: title !== null && written.get('title') === title,
    summary: typeof summary === 'string' ? summary : undefined,
    tags: new Set(Array.isArray(tags) ? tags.map(String) : []),
  };
}

/** The metadata without the summary; the rest stays, so that it is not written again. */
export function withoutSummary(metadata: MemoryHead['metadata']): MemoryHead['metadata'] {
  const { summary: _summary, ...rest } = Object.fromEntries(writtenIn(metadata));
  return { ...metadata, automatic: rest };
}

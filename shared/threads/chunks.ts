/**
 * Splits the texts of a memory into the pieces that an embedding model turns into vectors: neighbouring passages under the same
 * heading, joined until they are long enough to be meaningful. Pure. Hostile text can be slow to parse, so callers parse
 * people's texts in a separate thread.
 */
import { EMBEDDINGS } from '../search/embedding-limits.ts';
import { passagesOf } from './passages.ts';

export interface MemoryTexts {
  title: string | null;
  tags: readonly string[];
  description: string | null;
  summary: string | null;
  notes: string | null;
  /** The text of the page or file. */
  page: string | null;
}

export interface Chunk {
  field: 'title' | 'description' | 'summary' | 'notes' | 'page';
  /** Its passages, one a line. */
  text: string;
  /** Input of the embedding model: the text below its title and headings. */
  input: string;
}

/** The pieces of a memory in their order; none for a memory without any words. */
export function chunksOf(memory: MemoryTexts): Chunk[] {
  const title = memory.title?.trim() ?? '';
  const chunks: Chunk[] = [];
  for (const field of ['description', 'summary', 'notes', 'page'] as const) {
    for (const { heading, text } of piecesOf(memory[field] ?? '')) {
      if (chunks.length === EMBEDDINGS.passagesMax) return chunks;
      chunks.push({ field, text, input: joined([title, heading, text]) });
    }
  }
  const words = joined([title, memory.tags.join(', ')]);
  // A title says more about its memory than any passage, so it has a vector of its own as well.
  return words === '' ? chunks : [{ field: 'title', text: title, input: words }, ...chunks];
}

/** For a text that cannot be parsed in time: its beginning, unparsed. */
export function plainChunksOf({ title, tags, ...texts }: MemoryTexts): Chunk[] {
  const field = (['notes', 'page', 'description', 'summary'] as const).find((name) => texts[name]);
  const text = (field && texts[field]?.slice(0, EMBEDDINGS.passageCharacters).toWellFormed()) ?? '';
  const input = joined([title ?? '', tags.join(', '), text]);
  return input === '' ? [] : [{ field: field ?? 'title', text: text === '' ? (title ?? '') : text, input }];
}

const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join('\n');

function* piecesOf(markdown: string): Generator<{ heading: string; text: string }> {
  let open: { heading: string; text: string } | undefined;
  for (const { heading, text } of passagesOf(markdown.slice(0, EMBEDDINGS.textMax))) {
    const fits =
      open !== undefined &&
      open.heading === heading &&
      open.text.length + text.length < EMBEDDINGS.passageCharacters;
    if (open !== undefined && !fits) yield open;
    open = fits && open !== undefined ? { heading, text: `${open.text}\n${text}` } : { heading, text };
  }
  if (open !== undefined) yield open;
}

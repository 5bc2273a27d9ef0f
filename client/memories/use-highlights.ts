/**
 * The highlights of a page: the quotes in the notes of its memory. Each change is one mutation with an undo entry, and
 * preserves concurrent edits of the notes by others.
 */
import { useMemo, useState } from 'react';
import { addressOf } from '#shared/hash.ts';
import {
  blockWithWords,
  editBlock,
  highlightBlock,
  QUOTE_MAX,
  quotesIn,
  type BlockEdit,
  type NotedQuote,
  type TextQuote,
} from '#shared/memories/quotes.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { useMemoryRights } from '#client/memories/queries.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { useBody } from '#client/replica/use-body.ts';
import { perform } from '#client/shell/perform.ts';
import { showUndoToast } from '#client/shell/undo.ts';
import { formatCount } from '#shared/english.ts';

export interface Highlights {
  quotes: readonly NotedQuote[];
  isEditable: boolean;
  add: (quote: TextQuote, isCut: boolean) => Promise<void>;
  /** Sets or removes the comment of a quote. Resolves to whether it was done. */
  setWords: (quote: NotedQuote, words: string) => Promise<boolean>;
  remove: (quote: NotedQuote) => Promise<boolean>;
}

/** Notes with the hash that names them. */
interface Notes {
  id: string;
  text: string;
  hash: string | null;
}

/** The notes; while a newer text loads, the one before. */
function useNotes(row: MemoryHead): Notes | undefined {
  const body = useBody(row);
  const [last, setLast] = useState<Notes>();
  if (
    body.state === 'ready' &&
    (last?.id !== row.id || last.text !== body.text || last.hash !== row.bodyHash)
  )
    setLast({ id: row.id, text: body.text, hash: row.bodyHash });
  return last?.id === row.id ? last : undefined;
}

async function edit(
  { id }: Pick<MemoryHead, 'id'>,
  { text, hash }: Notes,
  { title, ...change }: BlockEdit & { title: string },
): Promise<boolean> {
  const step = (notes: string, baseHash: string | null, { from, to }: BlockEdit) =>
    mutate('memory.edit_quote', { id, notes: notes === '' ? null : notes, baseHash, from, to });
  let next = text;
  const isDone = await perform(async () => {
    next = editBlock(text, change);
    if (next !== text) await step(next, hash, change);
  });
  if (!isDone || next === text) return isDone;
  const nextHash = next === '' ? null : addressOf(next).hash;
  const back = { from: change.to, to: change.from };
  showUndoToast(title, async () => {
    await perform(() => step(text, nextHash, back));
  });
  return true;
}

/** `quotes` is the same list until the notes change. */
export function useHighlights(row: MemoryHead): Highlights {
  const notes = useNotes(row);
  const rights = useMemoryRights();
  const text = notes?.text ?? '';
  const quotes = useMemo(() => quotesIn(text), [text]);
  const url = row.url ?? '';
  const change = async (title: string, from: string | null, to: string | null) =>
    notes === undefined ? false : edit(row, notes, { title, from, to });
  return {
    quotes,
    isEditable: notes !== undefined && row.deletedAt === null && rights('memory.update', row),
    async add(quote, isCut) {
      const title = isCut ? `Highlighted the first ${formatCount(QUOTE_MAX)} characters` : 'Highlighted';
      await change(title, null, highlightBlock(quote, url));
    },
    setWords(quote, words) {
      const block = blockWithWords(quote, url, words);
      return change(words.trim() === '' ? 'Note removed from highlight' : 'Note saved', quote.block, block);
    },
    remove: (quote) => change('Highlight removed', quote.block, null),
  };
}

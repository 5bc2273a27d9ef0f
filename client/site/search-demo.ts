/**
 * Searches the sample notes of the home page as they are typed for, with the index of the application. It runs in the page
 * alone: once it is there, it needs no network.
 */
import type { SearchDocument } from '#shared/search/search-document.ts';
import { SearchIndex } from '#shared/search/search-index.ts';
import { findHighlights, type HighlightWords } from '#shared/memories/search-snippet.ts';

/** A note of the list, with the words that are marked when they match. */
interface SampleNote {
  row: HTMLElement;
  parts: { element: Element; text: string }[];
  document: SearchDocument;
}

const NO_WORDS: HighlightWords = { words: [], prefixes: [] };

function readNote(row: HTMLElement, index: number): SampleNote {
  const texts = (name: string) => [...row.querySelectorAll(`[data-part="${name}"]`)];
  const textOf = (name: string) => texts(name)[0]?.textContent ?? '';
  return {
    row,
    parts: [...texts('title'), ...texts('text')].map((element) => ({
      element,
      text: element.textContent,
    })),
    document: {
      id: String(index),
      title: textOf('title'),
      notes: textOf('text'),
      tags: texts('tag').map((tag) => tag.textContent),
      description: '',
      summary: '',
      url: '',
      spaceIds: [],
      type: 'note',
      origin: 'system',
      archived: false,
      created: 0,
      stamp: 0,
    },
  };
}

function mark(element: Element, text: string, words: HighlightWords): void {
  const pieces: (string | Node)[] = [];
  let from = 0;
  for (const [start, end] of findHighlights(text, words)) {
    const marked = document.createElement('mark');
    marked.textContent = text.slice(start, end);
    pieces.push(text.slice(from, start), marked);
    from = end;
  }
  element.replaceChildren(...pieces, text.slice(from));
}

/** Brings the field of the demonstration to life. */
export function watchSearchDemo(section: HTMLElement): void {
  const input = section.querySelector('input');
  const list = section.querySelector('ul');
  const status = section.querySelector('[data-part="status"]');
  if (!input || !list || !status) throw new Error('The demonstration of the search is incomplete');
  const notes = [...list.querySelectorAll('li')].map(readNote);
  const index = SearchIndex.build(notes.map((note) => note.document));
  const untouched = status.textContent;

  const show = (found: readonly SampleNote[], words: HighlightWords) => {
    for (const { parts } of found) for (const { element, text } of parts) mark(element, text, words);
    list.replaceChildren(...found.map(({ row }) => row));
  };
  const search = () => {
    const query = input.value.trim();
    if (query === '') {
      show(notes, NO_WORDS);
      status.textContent = untouched;
      return;
    }
    const start = performance.now();
    const { hits, highlight } = index.search(query);
    const took = performance.now() - start;
    const found = hits.flatMap(({ id }) => notes[Number(id)] ?? []);
    show(found, highlight);
    status.textContent = `${found.length} ${found.length === 1 ? 'note' : 'notes'} found in ${took.toFixed(1)} ms, in this page`;
  };
  input.addEventListener('input', search);
  // Typed or chosen before this part had arrived.
  if (input.value !== '') search();
}

/** The sample space that a new workspace may begin with: texts written for it, as data. */

/** A note, or a link when it has a url. */
export interface SampleText {
  title: string;
  notes: string | null;
  url: string | null;
  description: string | null;
  tags: string[];
}

export const SAMPLE_SPACE = {
  name: 'Start here',
  slug: 'start-here',
  description: 'A few memories to look around in. Change or delete them as you like.',
} as const;

export const SAMPLE_TEXTS: readonly SampleText[] = [
  {
    title: 'What a memory is',
    notes:
      'Everything you save is a **memory**: a thought, a page, a list. This one is a note.\n\n- Type or paste into the box at the top of the home page to save one.\n- Paste a link, and the text of its page is saved with it.\n- Everything is on this device too, so it opens at once and works offline.',
    url: null,
    description: null,
    tags: ['start'],
  },
  {
    title: 'Find it again',
    notes:
      'Press **Ctrl K** (⌘ K on a Mac) and type a few letters: memories, spaces, threads and commands are found as you type.\n\n- `tag:start` finds what has a tag.\n- A typing mistake does no harm.',
    url: null,
    description: null,
    tags: ['start', 'search'],
  },
  {
    title: 'Group what belongs together',
    notes:
      'A **space** is a collection, such as this one. A memory can be in several spaces.\n\nSpaces are seen by the members of the workspace unless you make them private, or publish them on the web.',
    url: null,
    description: null,
    tags: ['start', 'spaces'],
  },
  {
    title: 'Ask your memories',
    notes:
      'Open **Threads** and ask a question. The answer quotes passages from what you saved, and each leads to its memory.',
    url: null,
    description: null,
    tags: ['start', 'threads'],
  },
  {
    title: 'As We May Think',
    notes: null,
    url: 'https://www.theatlantic.com/magazine/archive/1945/07/as-we-may-think/303881/',
    description: 'Vannevar Bush, 1945: a desk that remembers by association. An example of a saved link.',
    tags: ['reading'],
  },
];

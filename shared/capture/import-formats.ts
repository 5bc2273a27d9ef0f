// The products whose exports can be imported, and how the first characters of an export show which one made it. The dialog
// names the product before the upload, the server decides by the same rule; a file name is not reliable.

interface ImportFormatRow {
  label: string;
  /** Name of one item and of several, for counts. */
  item: readonly [one: string, many: string];
  /** Whether a text begins like this export; none for archives of many files, which are recognised by their names. */
  startsLike?: (head: string) => boolean;
}

/** Characters from the start of a text that a decision needs; products put long settings before what shows them. */
export const FORMAT_HEAD = 65_536;

const MARKUP = /^\s*</;
const JSON_TEXT = /^\s*[[{]/;

/** The names in the first line of a table, lower case. */
function columnsOf(head: string): ReadonlySet<string> {
  if (MARKUP.test(head) || JSON_TEXT.test(head)) return new Set();
  const [line = ''] = head.split(/\r?\n/, 1);
  return new Set(line.split(',').map((name) => name.replace(/^"|"$/g, '').trim().toLowerCase()));
}

function hasColumns(...names: readonly string[]): (head: string) => boolean {
  return (head) => {
    const columns = columnsOf(head);
    return names.every((name) => columns.has(name));
  };
}

/** JSON whose beginning has these keys. */
function hasKeys(...names: readonly string[]): (head: string) => boolean {
  return (head) => JSON_TEXT.test(head) && names.every((name) => new RegExp(`"${name}"\\s*:`).test(head));
}

const isPocketTable = hasColumns('url', 'time_added', 'status');
const isPocketPage = (head: string) => MARKUP.test(head) && /<title>\s*Pocket Export\s*<\/title>/i.test(head);

const CUT_CONTENT = /"content"\s*:\s*"(?:[^"\\]|\\.)*\\?$/;

/** What follows the content of the first article may be beyond the head. */
function isWallabag(head: string): boolean {
  if (!hasKeys('title', 'url', 'content')(head)) return false;
  return hasKeys('is_archived')(head) || hasKeys('reading_time')(head) || CUT_CONTENT.test(head);
}

export const IMPORT_FORMATS = {
  loci: { label: 'Loci', item: ['item', 'items'] },
  bookmarks: {
    label: 'Browser bookmarks',
    item: ['bookmark', 'bookmarks'],
    startsLike: (head) => MARKUP.test(head) && /<!doctype netscape-bookmark-file-1\b/i.test(head),
  },
  pocket: {
    label: 'Pocket',
    item: ['link', 'links'],
    startsLike: (head) => isPocketTable(head) || isPocketPage(head),
  },
  raindrop: {
    label: 'Raindrop.io',
    item: ['bookmark', 'bookmarks'],
    startsLike: hasColumns('url', 'folder', 'excerpt', 'created'),
  },
  instapaper: {
    label: 'Instapaper',
    item: ['link', 'links'],
    startsLike: hasColumns('url', 'title', 'selection', 'folder'),
  },
  readwise: {
    label: 'Readwise',
    item: ['book', 'books'],
    startsLike: hasColumns('highlight', 'book title', 'book author'),
  },
  'readwise-reader': {
    label: 'Readwise Reader',
    item: ['link', 'links'],
    startsLike: hasColumns('title', 'url', 'document tags', 'saved date', 'location'),
  },
  omnivore: {
    label: 'Omnivore',
    item: ['article', 'articles'],
    startsLike: hasKeys('slug', 'url', 'savedAt', 'labels'),
  },
  karakeep: {
    label: 'Karakeep',
    item: ['bookmark', 'bookmarks'],
    startsLike: hasKeys('bookmarks', 'createdAt', 'content'),
  },
  linkwarden: {
    label: 'Linkwarden',
    item: ['link', 'links'],
    startsLike: hasKeys('collections', 'links'),
  },
  chatgpt: {
    label: 'ChatGPT',
    item: ['conversation', 'conversations'],
    startsLike: hasKeys('mapping', 'create_time'),
  },
  claude: {
    label: 'Claude',
    item: ['conversation', 'conversations'],
    startsLike: hasKeys('uuid', 'chat_messages'),
  },
  // After ChatGPT, whose conversations have the same keys and others.
  wallabag: {
    label: 'wallabag',
    item: ['link', 'links'],
    startsLike: isWallabag,
  },
  evernote: {
    label: 'Evernote',
    item: ['note', 'notes'],
    startsLike: (head) => MARKUP.test(head) && /<en-export[\s>]/i.test(head),
  },
  obsidian: { label: 'Obsidian', item: ['file', 'files'] },
  notion: { label: 'Notion', item: ['file', 'files'] },
  markdown: { label: 'Markdown', item: ['file', 'files'] },
} as const satisfies Record<string, ImportFormatRow>;

export type ImportFormatId = keyof typeof IMPORT_FORMATS;

export function importFormat(id: ImportFormatId): ImportFormatRow {
  return IMPORT_FORMATS[id];
}

const IDS = Object.keys(IMPORT_FORMATS) as ImportFormatId[];

/** The product whose export begins like this; undefined when none does. */
export function formatOfText(head: string): ImportFormatId | undefined {
  return IDS.find((id) => importFormat(id).startsLike?.(head) === true);
}

/** Bookmarks and folders of an export of a browser, counted without parsing it. */
export function countBookmarks(page: string): { bookmarks: number; folders: number } {
  return {
    bookmarks: page.match(/<a\s[^<>]*\bhref\s*=/gi)?.length ?? 0,
    folders: page.match(/<h3[\s>]/gi)?.length ?? 0,
  };
}

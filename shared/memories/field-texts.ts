/** Descriptions of fields in the API reference: memories and searches. */
import { FILES } from '../capture/limits.ts';
import { SYNC } from '../sync/limits.ts';
import { CHOSEN_ID, type FieldTexts, type RowTexts } from '../define/field-texts.ts';
import type { memory } from './memory.ts';
import type { publicMemory } from './public-memory.ts';

const MB = 1_024 * 1_024;
const inlineKb = SYNC.inlineNotesBytes / 1_024;

const memoryTexts = {
  ownerId: 'Id of the user who decides over it: who saved it, until it is given to another member.',
  spaceId: 'Home space: who reads it is who reads that space. Null means every member of the workspace.',
  type: 'Follows from what is saved: an address makes a `link`, an upload a `file`, all else a `note`.',
  origin: 'Where it came from; `system` and `clone` are set by the server alone.',
  contentStatus:
    'How far the page or file behind it is read; `unavailable` cannot be read, `failed` may work when it is tried again.',
  metadata:
    'Facts about the content, such as `statusReason`, `httpStatus` and `nextTryAt`; `automatic` holds what a language model wrote. Names may be added.',
  title: 'Shown in lists; taken from the page or file when it is left out, null until there is one.',
  description: 'Of a few sentences; taken from the page when it is left out.',
  summary: 'Comes with imported archives; null without one.',
  url: 'Address of a link; null for notes. The same page twice is one memory, whatever its fragment and tracking parameters.',
  notes: `Markdown; the text of a note, or a private remark on a link or file. Lists have null above ${inlineKb} kB, a single memory has all.`,
  bodyHash: 'SHA-256 of the notes in hexadecimal; null without notes. Tells a cache whether they changed.',
  bodyBytes: 'Size of the notes in UTF-8; 0 without notes.',
  tags: 'In lower case and without commas; a tag that is sent twice is kept once.',
  screenshot: 'Address of a picture of the page; null without one.',
  filename: 'Name of the uploaded file; null without one.',
  integrationId: 'Id at the service it came from; null when it came from none.',
  uploadId: 'Id of the stored file; null without one. `memory.file` has its address.',
  archived: 'Archived memories stay readable and leave the lists of the app.',
} satisfies RowTexts<typeof memory, 'urlKey' | 'deletedAt'>;

const publicTexts = {
  ...memoryTexts,
  text: `Markdown of a note, in a space that publishes texts; null for links and files, and in lists above ${inlineKb} kB.`,
  excerpt: 'First words of `text` without Markdown; empty without a text.',
} satisfies RowTexts<{ row: typeof publicMemory }>;

const query =
  'Words, of which all must be found; "quoted words" stand together, -word excludes. An empty query lists by the filters alone.';
const part = '`body` is the notes, `page` the text of the page behind the link.';

export const memoryFieldTexts = {
  Memory: memoryTexts,
  MemoryHit: {
    ...memoryTexts,
    score: 'Higher is better, comparable within one answer only; 0 when the query has only filters.',
    snippets: 'The parts of the memory that match, best first.',
  },
  Snippet: {
    field: 'Field that the text is from; `page` is the page behind the link.',
    text: 'A piece of the field, in plain characters.',
    ranges: 'What to mark: pairs of start and end in UTF-16 units of `text`.',
  },
  PublicMemory: {
    ...publicTexts,
    newer: 'The memory before it in the list of its space; null for the newest.',
    older: 'The memory after it in the list of its space; null for the oldest.',
    canonicalSpace:
      'Slug of the space whose page of the memory search engines should count; null when no public one shows its text.',
    spaceId: 'Id of a public or unlisted space.',
    query: 'Words, of which all must be found in what the public sees.',
  },
  Tag: {
    tag: 'In lower case.',
    count: 'Memories that the person can read and that carry it.',
  },
  'memory.random': {
    limit: 'How many are drawn.',
    seed: 'Any text; the same text draws the same memories in the same order.',
  },
  'memory.list': {
    address: 'Lists only memories of this page, compared without scheme, fragment and tracking parameters.',
  },
  'memory.create': {
    payload: 'The fields as JSON.',
    file: `The file, at most ${FILES.maxBytes / MB} MB.`,
    id: CHOSEN_ID,
    spaceId: 'Home space; left out or null, the whole workspace reads the memory.',
    origin: 'Where it came from; a key or token that leaves it out gets `api`.',
    text: 'Another name of `notes`, which wins when both are sent.',
    created: 'When it was saved elsewhere; left out, and for a time to come, now.',
    separate: 'True makes another memory of a file that is there already.',
    page: 'True when the file is the HTML of the page at `url` as the person saw it; the address is then not fetched.',
  },
  'memory.update': {
    spaceId: 'Moves the memory to another home space; null opens it to the whole workspace.',
    contentStatus: 'Only `pending`, to read the page or file again.',
  },
  'memory.search': {
    query,
    spaceIds: 'Only memories in one of these spaces.',
    tags: 'Only memories with all of these tags.',
    types: 'Only memories of these types.',
    origins: 'Only memories from these origins.',
    contentStatus: 'Only memories with one of these statuses.',
    archived:
      'False leaves archived memories out, true finds only them; the operator `is:archived` takes precedence.',
    from: 'Only memories saved at this time or later.',
    to: 'Only memories saved at this time or earlier.',
    mode: '`hybrid` finds by words and by meaning, `semantic` by meaning alone, which needs an embedding model; `meta.mode` says what was done.',
  },
  'memory.texts': {
    texts: 'The texts that are wanted; the answer may end early when it becomes large.',
    part,
    text: 'Markdown; null when there is no such text, or none that the person may read.',
  },
  'memory.file': {
    url: 'Returns the file without a token, until it expires.',
    expiresAt: 'Five minutes from now, in UTC.',
    mediaType: 'As it was found in the file, not as the sender named it.',
    bytes: 'Size of the file.',
  },
} as const satisfies FieldTexts;

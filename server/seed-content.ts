/**
 * The sample workspace of the first start: texts written for it, as data. Ages are days before the seed runs. It depends on the
 * shape of spaces and memories, not on their storage.
 */
import type { Space } from '#shared/spaces/space.ts';

/** A space with the key by which memories name it. */
export interface SampleSpace extends Pick<Space, 'name' | 'slug' | 'description' | 'color' | 'visibility'> {
  key: string;
}

/** A note, or a link when it has a url. */
export interface SampleMemory {
  age: number;
  title: string;
  notes?: string;
  url?: string;
  description?: string;
  summary?: string;
  tags: string[];
  spaces: string[];
  archived?: true;
}

/** A question, which the server answers from the sample as for any other thread. */
export interface SampleThread {
  name: string;
  question: string;
}

export const SAMPLE_SPACES: readonly SampleSpace[] = [
  { key: 'garden', name: 'Garden', slug: 'garden', description: 'What grows, what did not, and what to try next year.', color: 'olive', visibility: 'workspace' },
  { key: 'reading', name: 'Reading list', slug: 'reading-list', description: 'Articles and papers worth a second look.', color: 'iris', visibility: 'public' },
  { key: 'craft', name: 'Building software', slug: 'building-software', description: 'Notes about databases, browsers and the work between them.', color: 'lake', visibility: 'workspace' },
  { key: 'journal', name: 'Journal', slug: 'journal', description: 'Only for me.', color: 'plum', visibility: 'private' },
]; // prettier-ignore

const welcome = `Everything you save in Loci is a **memory**: a thought, a page, a list. This one is a note.

- **Ctrl K** (⌘ K on a Mac) finds anything again: memories, spaces, threads and commands.
- Paste one address or twenty; each becomes a memory of its own.
- Put memories into **spaces** when a topic grows.

All of it is on this device as well, so it opens at once and works without a network.`;

export const SAMPLE_MEMORIES: readonly SampleMemory[] = [
  { age: 0, title: 'Welcome to Loci', notes: welcome, tags: ['start'], spaces: [] },
  { age: 1, title: 'Tomatoes: what worked this year', notes: '## Kept\n\n- **Matina**, first ripe fruit on 4 July\n- Two stems instead of one, far less splitting\n\n## Dropped\n\n- Watering from above. Blight within a week.\n\nNext spring: sow on 10 March, not in February.', tags: ['tomatoes', 'plan'], spaces: ['garden'] },
  { age: 2, title: 'PostgreSQL: full text search', url: 'https://www.postgresql.org/docs/current/textsearch.html', description: 'The chapter on documents, queries, ranking and dictionaries.', summary: 'How text becomes a tsvector, how queries match it, and which index to choose.', tags: ['postgres', 'search'], spaces: ['craft', 'reading'] },
  { age: 3, title: 'Questions for the architect on Thursday', notes: '1. Can the stairs go where the cupboard is now?\n2. Who asks the neighbours about the scaffold?\n3. Price of larch against spruce, per square metre\n4. Is the old cistern usable for rain water?', tags: ['house'], spaces: [] },
  { age: 4, title: 'As We May Think', url: 'https://www.theatlantic.com/magazine/archive/1945/07/as-we-may-think/303881/', description: 'Vannevar Bush, 1945: a desk that remembers by association.', summary: 'The essay that imagined trails through a personal library, long before hypertext.', tags: ['memory', 'history'], spaces: ['reading'] },
  { age: 5, title: 'Sourdough, the lazy schedule', notes: '| When | What |\n|---|---|\n| 20:00 | 100 g starter, 350 g water, 500 g flour, 10 g salt |\n| 20:40 | fold once |\n| 7:30 | shape |\n| 8:30 | oven at 240 °C, lid on |\n| 9:00 | lid off, 20 minutes |\n\nIn winter put it beside the boiler.', tags: ['bread', 'recipe'], spaces: [] },
  { age: 7, title: 'IndexedDB API', url: 'https://developer.mozilla.org/en-US/docs/Web/API/IndexedDB_API', description: 'Reference of the database inside every browser.', tags: ['browser', 'offline'], spaces: ['craft'] },
  { age: 8, title: 'Why a queue needs idempotent jobs', notes: 'A worker can die **after** the work and **before** it says so. The job comes back, so doing it twice has to be the same as doing it once.\n\nThree ways:\n\n1. Set values, never add to them\n2. A unique key for the effect\n3. Write effect and acknowledgement in one transaction\n\n> At-least-once delivery plus idempotent effects is as good as exactly once.', tags: ['queues', 'reliability'], spaces: ['craft'] },
  { age: 10, title: 'Birthday ideas', notes: '- Ida: the tide calendar, or a good head lamp\n- Noah: climbing course in May\n- Mum: framed photo from the lighthouse', tags: ['family', 'lists'], spaces: ['journal'] },
  { age: 12, title: 'Local-first software', url: 'https://www.inkandswitch.com/essay/local-first/', description: 'Seven ideals: fast, on every device, without a network, and yours.', summary: 'Kleppmann, Wiggins, van Hardenberg and McGranaghan on owning your data in spite of the cloud.', tags: ['offline', 'sync'], spaces: ['reading', 'craft'] },
  { age: 14, title: 'Compost in one paragraph', notes: 'Two parts brown (leaves, cardboard, straw) to one part green (kitchen, grass). Keep it as wet as a wrung-out cloth. Turn it when the middle cools down. If it smells, it wants brown and air.', tags: ['compost', 'soil'], spaces: ['garden'] },
  { age: 17, title: 'The cardinal rule of meetings', notes: 'If nobody can say what will be different afterwards, it is not a meeting yet.', tags: ['work', 'quote'], spaces: [] },
  { age: 20, title: 'Web Content Accessibility Guidelines 2.2', url: 'https://www.w3.org/TR/WCAG22/', description: 'The standard, with the new criteria on targets, focus and dragging.', tags: ['accessibility', 'browser'], spaces: ['craft'] },
  { age: 24, title: 'Paint for the north room', notes: 'Lime paint, warm white. **Not** the grey one: looked green in the evening.\n\nWalls 38 m², two coats, so 9 litres.', tags: ['house'], spaces: [] },
  { age: 28, title: 'Hotel with the good breakfast in Bergen', notes: 'Third floor to the yard is quiet. The number 3 bus stops in front. Ask for the room with the round window.', tags: ['travel', 'norway'], spaces: ['journal'] },
  { age: 33, title: 'SQLite: how it is tested', url: 'https://www.sqlite.org/testing.html', description: 'Millions of test cases, out-of-memory tests, crash tests, full branch coverage.', summary: 'What it takes before people trust a small library with everything they have.', tags: ['testing', 'reliability'], spaces: ['reading', 'craft'] },
  { age: 38, title: 'Pruning the apple tree', notes: '- February, on a dry day above freezing\n- Dead, damaged, crossing: in this order\n- Never more than a quarter of the crown in one year\n- Water shoots come off by hand in June', tags: ['trees', 'plan'], spaces: ['garden'] },
  { age: 45, title: 'Spaced repetition', url: 'https://en.wikipedia.org/wiki/Spaced_repetition', description: 'Reviewing at growing intervals, from Ebbinghaus to flashcards.', tags: ['memory', 'learning'], spaces: ['reading'] },
  { age: 52, title: 'Words I keep looking up', notes: '- **desire path**: the trail people make where no path was planned\n- **apricity**: warmth of the sun in winter\n- **skeuomorph**: a new thing that keeps the look of the old one', tags: ['words', 'lists'], spaces: ['journal'] },
  { age: 60, title: 'Gall’s law', notes: 'A complex system that works is invariably found to have evolved from a simple system that worked.', tags: ['quote', 'design'], spaces: ['craft'] },
  { age: 75, title: 'Old bicycle: serial number and lock', notes: 'Frame number is under the bottom bracket, photo in the folder of the insurance. Lock code: the year of the lighthouse.', tags: ['lists'], spaces: [], archived: true },
  { age: 90, title: 'Seed order for spring', notes: 'Chard, purple carrot, borage, two kinds of lettuce that do not bolt, and **one** pumpkin. One!', tags: ['plan', 'seeds'], spaces: ['garden'] },
  { age: 120, title: 'The method of loci', url: 'https://en.wikipedia.org/wiki/Method_of_loci', description: 'Remembering by walking through places in the mind; where this program has its name from.', summary: 'Simonides, memory palaces, and why places are easier to keep than lists.', tags: ['memory', 'history'], spaces: ['reading'] },
  { age: 200, title: 'First swim of the year', notes: 'Seven minutes, eleven degrees, nobody else. Remember the towel next time.', tags: ['sea'], spaces: ['journal'] },
  { age: 365, title: 'Moved in', notes: 'Boxes everywhere, one lamp, soup from the neighbours. The window to the harbour is better than in the pictures.', tags: ['house'], spaces: ['journal'] },
]; // prettier-ignore

export const SAMPLE_THREADS: readonly SampleThread[] = [
  { name: 'Jobs that run twice', question: 'Why must the jobs of a queue be idempotent?' },
  { name: 'Tomatoes next spring', question: 'When do I sow the tomatoes next spring?' },
];

// Pictures for link previews: the product's mark, a title and a line of text, drawn on the server and kept by content.
// Knows nothing of pages; callers bring the words.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import satori from 'satori';
import sharp from 'sharp';
import { PRODUCT_NAME } from '#shared/constants.ts';

export interface PreviewWords {
  title: string;
  text: string;
  /** Small line above the title, for example the name of a workspace. */
  eyebrow?: string;
}

const WIDTH = 1200;
const HEIGHT = 630;
const KEPT = 300;
const LONGEST_TITLE = 90;
const LONGEST_TEXT = 160;
const LONGEST_EYEBROW = 50;

const resolve = createRequire(import.meta.url).resolve;
/** One family for each alphabet; a letter is drawn with the first that has it. */
const ALPHABETS = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
] as const;
const fonts = ALPHABETS.flatMap((alphabet) =>
  ([400, 600] as const).map((weight) => ({
    name: `Inter ${alphabet}`,
    weight,
    style: 'normal' as const,
    data: readFileSync(resolve(`@fontsource/inter/files/inter-${alphabet}-${weight}-normal.woff`)),
  })),
);
const FAMILIES = ALPHABETS.map((alphabet) => `Inter ${alphabet}`).join(', ');

const kept = new Map<string, Promise<Buffer>>();

interface Box {
  type: string;
  props: { style?: Record<string, string | number>; children?: (Box | string)[] | string };
}

function box(style: Record<string, string | number>, ...children: (Box | string)[]): Box {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** The mark of the product: four rooms, one of them lit. */
function mark(): Box {
  const room = { width: 26, height: 26, borderRadius: 6, background: '#6ee7b7' };
  const rows = { gap: 6, flexDirection: 'column' as const };
  return box(
    {
      width: 88,
      height: 88,
      flexShrink: 0,
      borderRadius: 20,
      background: '#047857',
      alignItems: 'center',
      justifyContent: 'center',
    },
    box(
      rows,
      box({ gap: 6 }, box(room), box({ ...room, borderRadius: 13, background: '#ffffff' })),
      box({ gap: 6 }, box(room), box(room)),
    ),
  );
}

function drawing({ title, text, eyebrow }: PreviewWords): Box {
  return box(
    {
      width: '100%',
      height: '100%',
      boxSizing: 'border-box',
      padding: 80,
      flexDirection: 'column',
      justifyContent: 'space-between',
      background: '#0b111e',
      color: '#e8edf5',
      fontFamily: FAMILIES,
    },
    box(
      { alignItems: 'center', gap: 28 },
      mark(),
      box({ fontSize: 40, fontWeight: 600 }, PRODUCT_NAME),
      box({ fontSize: 30, color: '#34d399' }, cut(eyebrow ?? '', LONGEST_EYEBROW)),
    ),
    box(
      { flexDirection: 'column', gap: 28 },
      box(
        { fontSize: title.length > 45 ? 60 : 76, fontWeight: 600, lineHeight: 1.1, letterSpacing: -2 },
        cut(title, LONGEST_TITLE),
      ),
      box({ fontSize: 32, lineHeight: 1.4, color: '#a9b5c6' }, cut(text, LONGEST_TEXT)),
    ),
  );
}

async function draw(words: PreviewWords): Promise<Buffer> {
  const missing = new Set<string>();
  const first = await drawn(words, missing);
  const svg = missing.size === 0 ? first : await drawn(without(words, missing), new Set());
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer();
}

/** The drawing as SVG; collects the signs that no font here has. */
async function drawn(words: PreviewWords, missing: Set<string>): Promise<string> {
  // satori's types want React elements; it only ever reads type and props.
  const tree: Parameters<typeof satori>[0] = Object.assign(drawing(words), { key: null });
  const loadAdditionalAsset = async (_code: string, segment: string): Promise<[]> => {
    for (const sign of segment) missing.add(sign);
    return [];
  };
  return satori(tree, { width: WIDTH, height: HEIGHT, fonts, loadAdditionalAsset });
}

/** Leaves out what would be drawn as empty boxes. A title of such signs alone makes room for the line above it. */
function without({ title, text, eyebrow = '' }: PreviewWords, missing: ReadonlySet<string>): PreviewWords {
  const known = (words: string): string =>
    [...words]
      .filter((sign) => !missing.has(sign))
      .join('')
      .replace(/\s+/g, ' ')
      .trim();
  return known(title) === ''
    ? { title: known(eyebrow), text: known(text) }
    : { title: known(title), text: known(text), eyebrow: known(eyebrow) };
}

/** The picture as PNG with a tag that changes with its words. The newest few hundred stay in memory. */
export async function previewPicture(words: PreviewWords): Promise<{ png: Buffer; tag: string }> {
  const tag = createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 16);
  const png = kept.get(tag) ?? draw(words);
  kept.delete(tag);
  kept.set(tag, png);
  const oldest = kept.keys().next().value;
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return { png: await png, tag };
}

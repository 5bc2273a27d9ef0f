// Pictures for link previews: the product's mark, a title, a line of text and an arcade, drawn on the server and cached by
// content. Independent of pages; callers pass the text.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import satori from 'satori';
import sharp from 'sharp';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { ARCADE, arcadeOf } from '#shared/spaces/space-looks.ts';

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
/** Those that Newsreader has. */
const TITLE_ALPHABETS: readonly string[] = ['latin', 'latin-ext', 'vietnamese'];

function fontOf(family: 'Inter' | 'Newsreader', alphabet: string, weight: 400 | 500) {
  const [name, folder] = [`${family} ${alphabet}`, family.toLowerCase()];
  const file = resolve(`@fontsource/${folder}/files/${folder}-${alphabet}-${weight}-normal.woff`);
  return { name, weight, style: 'normal' as const, data: readFileSync(file) };
}

const fonts = [
  ...ALPHABETS.flatMap((alphabet) => [fontOf('Inter', alphabet, 400), fontOf('Inter', alphabet, 500)]),
  ...TITLE_ALPHABETS.map((alphabet) => fontOf('Newsreader', alphabet, 500)),
];
const FAMILIES = ALPHABETS.map((alphabet) => `Inter ${alphabet}`).join(', ');
const TITLE_FAMILIES = [...TITLE_ALPHABETS.map((alphabet) => `Newsreader ${alphabet}`), FAMILIES].join(', ');

const kept = new Map<string, Promise<Buffer>>();

interface Box {
  type: string;
  props: {
    style?: Record<string, string | number>;
    children?: (Box | string)[] | string;
    src?: string;
    width?: number;
    height?: number;
  };
}

function box(style: Record<string, string | number>, ...children: (Box | string)[]): Box {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** A drawing as part of the picture. */
function picture(width: number, height: number, svg: string): Box {
  const source = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${svg}</svg>`;
  const src = `data:image/svg+xml;base64,${Buffer.from(source).toString('base64')}`;
  return { type: 'img', props: { src, width, height } };
}

const COLORS = { paper: '#0d1420', ink: '#e8eef6', muted: '#a9b7c9', primary: '#45d0a0' } as const;

/** The mark of the product, as favicon.svg draws it. */
const MARK = `<g transform="scale(2.5)" fill="${COLORS.primary}"><path d="M3.5 21.5v-11a8.5 8.5 0 0 1 17 0v11h-4.6v-10.3a3.9 3.9 0 0 0-7.8 0v10.3Z"/><circle cx="12" cy="12.4" r="1.9"/></g>`;

/** The arcade of a name along the lower edge. */
function frieze(name: string): Box {
  const height = Math.round(ARCADE.height * 1.2);
  const arches = arcadeOf(name, WIDTH / 1.2).map(
    ({ path, opacity, dot }) =>
      `<path d="${path}" fill="${COLORS.primary}" opacity="${opacity}"/>` +
      (dot ? `<circle cx="${dot.x}" cy="${dot.y}" r="${dot.r}" fill="${COLORS.paper}"/>` : ''),
  );
  return picture(WIDTH, height, `<g transform="scale(1.2)">${arches.join('')}</g>`);
}

function drawing({ title, text, eyebrow }: PreviewWords): Box {
  return box(
    {
      width: '100%',
      height: '100%',
      flexDirection: 'column',
      justifyContent: 'space-between',
      background: COLORS.paper,
      color: COLORS.ink,
      fontFamily: FAMILIES,
    },
    box(
      { flexDirection: 'column', gap: 40, padding: '64px 80px 0' },
      box(
        { alignItems: 'center', gap: 20 },
        picture(60, 60, MARK),
        box({ fontSize: 44, fontFamily: TITLE_FAMILIES, fontWeight: 500 }, PRODUCT_NAME),
        box({ marginLeft: 12, fontSize: 28, color: COLORS.primary }, cut(eyebrow ?? '', LONGEST_EYEBROW)),
      ),
      box(
        { flexDirection: 'column', gap: 24 },
        box(
          {
            fontSize: title.length > 45 ? 58 : 76,
            fontFamily: TITLE_FAMILIES,
            fontWeight: 500,
            lineHeight: 1.08,
            letterSpacing: -1.5,
          },
          cut(title, LONGEST_TITLE),
        ),
        box({ fontSize: 30, lineHeight: 1.4, color: COLORS.muted }, cut(text, LONGEST_TEXT)),
      ),
    ),
    frieze(title),
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

/** Removes characters that would be drawn as empty boxes. A title of such characters alone is replaced by the line above it. */
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

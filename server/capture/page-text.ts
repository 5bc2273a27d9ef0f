// The readable text of a fetched page and the page's metadata. Pure; it runs in a process with limits, because its input is
// untrusted. Scripts are never run and nothing is loaded.
import { parseHTML } from 'linkedom';
import { CAPTURE } from '#shared/capture/limits.ts';
import { LIMITS } from '#shared/constants.ts';
import { storableText } from '../db/storable-text.ts';
import { mainContent } from './main-content.ts';
import { PLAIN } from './page-media.ts';

/** An unparsed body, with its media type and its address. */
export interface PageSource {
  url: string;
  mediaType: string;
  charset: string | undefined;
  body: Uint8Array;
}

/** Extracted fields of a page; null where it has none. */
export interface PageText {
  title: string | null;
  description: string | null;
  /** Markdown. */
  text: string | null;
  site: string | null;
  author: string | null;
  /** ISO 8601, as in the page. */
  published: string | null;
  language: string | null;
  /** https or http addresses. */
  canonicalUrl: string | null;
  image: string | null;
  favicon: string | null;
  /** Why there is next to no text: the page shows a form for a password, or writes its text with scripts. */
  obstacle: 'login' | 'scripts' | null;
}

const NOTHING: PageText = {
  title: null,
  description: null,
  text: null,
  site: null,
  author: null,
  published: null,
  language: null,
  canonicalUrl: null,
  image: null,
  favicon: null,
  obstacle: null,
};

/** Reads a page; one without text has a null text. */
export async function readPage(source: PageSource): Promise<PageText> {
  const words = decoded(source);
  if (words.trim() === '') return NOTHING;
  if (PLAIN.has(source.mediaType)) {
    return { ...NOTHING, title: titleOfPlain(words), text: clipped(words, CAPTURE.pageTextMax) };
  }
  const { document } = parseHTML(words);
  const canonical = document.querySelector('link[rel="canonical"]')?.getAttribute('href');
  const shown = document.querySelector('title')?.textContent;
  const shownText = document.body?.textContent ?? '';
  const found = await mainContent(words, source.url);
  // The text of a document that the extractors cannot process is stored unchanged.
  const text = clipped((found?.contentMarkdown ?? shownText).trim(), CAPTURE.pageTextMax);
  return {
    title: line(found?.title || shown, LIMITS.title),
    description: line(found?.description, LIMITS.description),
    text,
    site: line(found?.site || found?.domain, LIMITS.title),
    author: line(found?.author, LIMITS.title),
    published: isoDate(found?.published),
    language: /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.exec(found?.language ?? '')?.[0] ?? null,
    canonicalUrl: webAddress(canonical, source.url),
    image: webAddress(found?.image, source.url),
    favicon: iconOf(document, source.url),
    obstacle: obstacleOf(document, text ?? ''),
  };
}

type PageDocument = ReturnType<typeof parseHTML>['document'];

/** Pixels of an icon in a list on a sharp screen. */
const ICON_PIXELS = 48;

/**
 * The declared icon that is just large enough for a list, else the largest, else the place where browsers look. Drawings are
 * left out, because a drawing is a document that may refer to others.
 */
function iconOf(document: Pick<PageDocument, 'querySelectorAll'>, base: string): string | null {
  const icons = [...document.querySelectorAll('link[rel~="icon" i], link[rel="apple-touch-icon" i]')]
    .map((link) => ({ link, address: webAddress(link.getAttribute('href'), base) }))
    .filter(({ address }) => address !== null && !/\.svg$/i.test(new URL(address).pathname))
    .filter(({ link }) => !/svg/i.test(link.getAttribute('type') ?? ''))
    .map(({ link, address }) => ({ address, pixels: pixelsOf(link) }));
  const large = icons.filter(({ pixels }) => pixels >= ICON_PIXELS);
  const [best] =
    large.length > 0
      ? large.toSorted((one, other) => one.pixels - other.pixels)
      : icons.toSorted((one, other) => other.pixels - one.pixels);
  return best?.address ?? webAddress('/favicon.ico', base);
}

/** The declared side of an icon; without one 180, as of those for phones, else 16. */
function pixelsOf(link: { getAttribute: (name: string) => string | null }): number {
  const declared = Number(/^\d+/.exec(link.getAttribute('sizes') ?? '')?.[0]);
  return declared || (/apple/i.test(link.getAttribute('rel') ?? '') ? 180 : 16);
}

function obstacleOf(document: Pick<PageDocument, 'querySelector'>, text: string): PageText['obstacle'] {
  const words = wordCount(text);
  if (words >= CAPTURE.loginWordsMax) return null;
  if (document.querySelector('input[type="password"]') !== null) return 'login';
  const needsScripts = words === 0 || /\bjavascript\b/i.test(text);
  return needsScripts && document.querySelector('script') !== null ? 'scripts' : null;
}

/**
 * The text of the bytes: by byte order mark, header, or the page's own declaration, as browsers decide; without any of
 * them UTF-8, and Windows-1252 for bytes that are not.
 * @see https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
export function decoded({ body, charset, mediaType }: PageSource): string {
  const [first, second, third] = body;
  const mark =
    first === 0xef && second === 0xbb && third === 0xbf
      ? 'utf-8'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : first === 0xff && second === 0xfe
          ? 'utf-16le'
          : undefined;
  const label = mark ?? charset ?? (PLAIN.has(mediaType) ? undefined : declaredIn(body));
  const decoder = label === undefined ? undefined : decoderOf(label);
  if (decoder !== undefined) return decoder.decode(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return new TextDecoder('windows-1252').decode(body);
  }
}

/** Character encoding declared at the beginning of a page. */
function declaredIn(body: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(body.subarray(0, 4_096));
  const label = /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
  // A page that could be read so far is not in UTF-16, whatever it declares.
  return label !== undefined && /^utf-16/i.test(label) ? 'utf-8' : label;
}

/** Undefined for a name that is no encoding. */
function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** One line without control characters, or null. */
export function line(value: string | null | undefined, max: number): string | null {
  const text = storableText(value ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text === '' ? null : clipped(text, max);
}

/** At most `max` UTF-16 units, never cut inside a character; null when empty. */
function clipped(value: string, max: number): string | null {
  const text = storableText(value);
  if (text === '') return null;
  return text.length <= max
    ? text
    : text
        .slice(0, max)
        .toWellFormed()
        .replace(/\uFFFD$/, '');
}

function titleOfPlain(text: string): string | null {
  const first = text
    .slice(0, 4_096)
    .split('\n')
    .find((candidate) => candidate.trim() !== '');
  return line(first?.replace(/^#+\s*/, ''), LIMITS.title);
}

function isoDate(value: string | undefined): string | null {
  const time = Date.parse(value ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function webAddress(value: string | null | undefined, base: string): string | null {
  if (!value) return null;
  const url = URL.parse(value, base);
  const isWeb = url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
  return isWeb && url.href.length <= LIMITS.url ? url.href : null;
}

export function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

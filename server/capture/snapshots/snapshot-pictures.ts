// Pictures of a snapshot: which of its addresses is used for an image element, and its bytes as a data: URL.
import type { Element } from 'hast';
import type { InlineRoom } from './inline-room.ts';
import { PICTURES, type LoadResource } from './page-resource.ts';
import { cleanSvg } from './snapshot-svg.ts';
import { RESOURCES } from './snapshot-limits.ts';

const SVG = 'image/svg+xml';
/** Wide enough for a page, and not as large as the largest screens want. */
const WIDTH_WANTED = 1_000;
/** Sets name a picture in a few sizes. */
const ADDRESSES_MAX = 40;
/** Placeholder sources until a script loads the real picture. */
const PLACEHOLDER = /^data:|^about:|^\s*$/i;

/** Loads each picture once, and writes it out while there is room. */
export function createPictures(load: LoadResource, room: InlineRoom) {
  const loaded = new Map<string, Promise<string | undefined>>();
  const addressOf = async (url: string): Promise<string | undefined> => {
    const found = await load({ kind: 'image', url });
    return found && dataUrl(found.mediaType, Buffer.from(found.body));
  };
  return async (address: string, base: string): Promise<string | undefined> => {
    const given = address.trim();
    const url = /^data:/i.test(given) ? undefined : webAddress(given, base);
    const known = url === undefined ? readDataUrl(given) : (loaded.get(url) ?? addressOf(url));
    if (url !== undefined && known instanceof Promise) loaded.set(url, known);
    const data = await known;
    return data !== undefined && room.take(data.length) ? data : undefined;
  };
}

/** Undefined for a value that is not a web address. */
export function webAddress(address: string, base: string): string | undefined {
  const url = URL.parse(address, base);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}

function dataUrl(mediaType: string, body: Buffer): string | undefined {
  if (mediaType !== SVG) return `data:${mediaType};base64,${body.toString('base64')}`;
  const svg = cleanSvg(body.toString('utf8'));
  return svg && svgUrl(svg);
}

export function svgUrl(svg: string): string {
  return `data:${SVG};base64,${Buffer.from(svg).toString('base64')}`;
}

/** A picture that the page itself holds, written anew. */
function readDataUrl(given: string): string | undefined {
  const [, type = '', parameters = '', content = ''] = /^data:([^;,]*)([^,]*),(.*)$/is.exec(given) ?? [];
  const mediaType = type.trim().toLowerCase();
  if (!PICTURES.has(mediaType) || content.length > RESOURCES.image.bytes * 1.4) return undefined;
  try {
    const text = decodeURIComponent(content);
    return dataUrl(mediaType, Buffer.from(text, /;\s*base64\s*$/i.test(parameters) ? 'base64' : 'utf8'));
  } catch {
    // Broken percent signs.
    return undefined;
  }
}

/**
 * The addresses under which a page has this picture, the one to load first: what the element shows, or what a script would put
 * there, then the others.
 */
export function pictureAddresses(image: Element, sources: readonly Element[]): string[] {
  const { src, srcSet, dataSrc, dataSrcset, dataOriginal } = image.properties;
  const own = [srcSet, dataSrcset].map(addressesOf);
  const others = sources.map(({ properties }) => addressesOf(properties['srcSet']));
  const single = [src, dataSrc, dataOriginal].map(textOf);
  const best = [
    ...own.flatMap(([first]) => first ?? []),
    ...single,
    ...others.flatMap(([first]) => first ?? []),
  ];
  return [...best, ...own.flat(), ...others.flat()]
    .filter((address) => address !== '')
    .toSorted((a, b) => Number(PLACEHOLDER.test(a)) - Number(PLACEHOLDER.test(b)))
    .slice(0, ADDRESSES_MAX);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value.trim() : '';
}

/** Of a source set: the first is wide enough, or else the widest. */
function addressesOf(set: unknown): string[] {
  const candidates = [...textOf(set).matchAll(/([^\s,]\S*[^\s,])(?:\s+([\d.]+)([wx]))?\s*(?:,|$)/g)].map(
    ([, address = '', size, unit]) => ({
      address,
      width: size === undefined ? WIDTH_WANTED / 2 : Number(size) * (unit === 'x' ? WIDTH_WANTED / 2 : 1),
    }),
  );
  const byWidth = candidates.toSorted((a, b) => a.width - b.width);
  const best = byWidth.find(({ width }) => width >= WIDTH_WANTED) ?? byWidth.at(-1);
  return [best, ...byWidth].flatMap((each) => each?.address ?? []);
}

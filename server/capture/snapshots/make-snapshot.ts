// A page as one HTML file that runs nothing and refers to nothing outside of itself, but for its links. It is parsed by the
// standard's algorithm and rebuilt from the elements that SNAPSHOT_SCHEMA lists. It runs in a process with limits, because its
// input is untrusted.
import type { Element, ElementContent, Nodes, Properties, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { decoded, type PageSource } from '../page-text.ts';
import { InlineRoom } from './inline-room.ts';
import { inlineDeclarations, inlineStyles, textOf, type StyleHost } from './inline-styles.ts';
import { leaveOut, nameEmbedded } from './left-out.ts';
import type { LoadResource } from './page-resource.ts';
import { createPictures, pictureAddresses, svgUrl, webAddress } from './snapshot-pictures.ts';
import { SNAPSHOT_POLICY, SNAPSHOT_SCHEMA } from './snapshot-schema.ts';
import { svgText } from './snapshot-svg.ts';

/** Scripts alone would show what these hide, and scroll what these hold. */
const OWN_STYLES =
  'html,body{overflow:auto!important;height:auto!important}img{max-width:100%}' +
  '[data-left-out]{display:inline-block;border:1px dashed;padding:.1em .4em;font-size:.85em;opacity:.75}';

interface PageHost extends StyleHost {
  base: string;
  room: InlineRoom;
}

/** The snapshot of a page; undefined for one that is empty without its scripts. */
export async function makeSnapshot(source: PageSource, load: LoadResource): Promise<string | undefined> {
  const tree = fromHtml(decoded(source));
  const elements = elementsOf(tree);
  const room = new InlineRoom();
  const host: PageHost = {
    base: baseOf(elements, source.url),
    room,
    sheet: load,
    picture: createPictures(load, room),
  };
  // Styles first, because they matter most when there is little room.
  const sheets = await Promise.all(elements.map((element) => sheetOf(element, host)));
  const sources = sourcesOf(elements);
  await Promise.all(elements.map((element) => settle(element, sources.get(element) ?? [], host)));
  return written(
    tree,
    elements,
    sheets.filter((sheet) => sheet !== undefined),
  );
}

/** Every element in the order of the document; a list, because pages can be nested deeper than calls can. */
function elementsOf(tree: Root): Element[] {
  const found: Element[] = [];
  const open: Nodes[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'element') found.push(node);
    if (!('children' in node)) continue;
    // A drawing is one picture.
    if (node.type === 'element' && node.tagName === 'svg') continue;
    for (const child of node.children.toReversed()) open.push(child);
  }
  return found;
}

/** The other addresses of pictures, in `source` elements beside them. */
function sourcesOf(elements: readonly Element[]): ReadonlyMap<Element, Element[]> {
  const found = new Map<Element, Element[]>();
  for (const { tagName, children } of elements) {
    if (tagName !== 'picture') continue;
    const inside = children.filter((child) => child.type === 'element');
    const sources = inside.filter((child) => child.tagName === 'source');
    for (const child of inside) if (child.tagName === 'img') found.set(child, sources);
  }
  return found;
}

function baseOf(elements: readonly Element[], url: string): string {
  const base = elements.find(({ tagName, properties }) => tagName === 'base' && 'href' in properties);
  return (base && webAddress(String(base.properties['href']), url)) ?? url;
}

/** The text of a stylesheet, by its element; undefined for any other element. */
async function sheetOf(element: Element, host: PageHost): Promise<Element | undefined> {
  const css = await sheetText(element, host);
  if (css === undefined || css === '' || !host.room.take(css.length)) return undefined;
  const { media } = element.properties;
  return {
    type: 'element',
    tagName: 'style',
    properties: typeof media === 'string' ? { media } : {},
    children: [{ type: 'text', value: css }],
  };
}

async function sheetText(
  { tagName, properties, children }: Element,
  host: PageHost,
): Promise<string | undefined> {
  if (tagName === 'style') {
    const text = children.map((child) => (child.type === 'text' ? child.value : '')).join('');
    // A snapshot of a snapshot is identical.
    if (text === OWN_STYLES) return undefined;
    return inlineStyles(text, host.base, host);
  }
  const rel = [properties['rel']].flat().map((word) => String(word).toLowerCase());
  if (tagName !== 'link' || !rel.includes('stylesheet') || rel.includes('alternate')) return undefined;
  const url = webAddress(properties['href'] ?? '', host.base);
  const sheet = url && (await host.sheet({ kind: 'style', url }));
  return sheet ? inlineStyles(textOf(sheet), sheet.url, host) : undefined;
}

async function settle(element: Element, sources: readonly Element[], host: PageHost): Promise<void> {
  const { style } = element.properties;
  if (typeof style === 'string') {
    const text = await inlineDeclarations(style, host.base, host);
    if (text !== '' && host.room.take(text.length)) element.properties['style'] = text;
    else delete element.properties['style'];
  }
  if (element.tagName === 'a') settleLink(element, host.base);
  else if (element.tagName === 'img') await settlePicture(element, sources, host);
  else if (element.tagName === 'svg') settleDrawing(element, host);
  else nameEmbedded(element, host.base);
}

function settleLink(link: Element, base: string): void {
  const { href, dataLeftOut } = link.properties;
  const given = typeof href === 'string' ? href.trim() : '';
  for (const name of ['target', 'rel', 'href', 'dataLeftOut']) delete link.properties[name];
  const url = given === '' ? undefined : webAddress(given, base);
  if (given.startsWith('#')) link.properties['href'] = given;
  else if (/^mailto:/i.test(given)) Object.assign(link.properties, { href: given, rel: ['noreferrer'] });
  else if (url !== undefined)
    Object.assign(link.properties, { href: url, target: '_blank', rel: ['noreferrer', 'noopener'] });
  // Last, where a snapshot writes it, so that a snapshot of a snapshot is identical.
  if (dataLeftOut !== undefined) link.properties['dataLeftOut'] = dataLeftOut;
}

async function settlePicture(image: Element, sources: readonly Element[], host: PageHost): Promise<void> {
  const { alt, dataFrom } = image.properties;
  const [address, ...others] = pictureAddresses(image, sources);
  const data = address === undefined ? undefined : await host.picture(address, host.base);
  if (address === undefined || data === undefined)
    return leaveOut(image, 'Image', typeof alt === 'string' ? alt : undefined);
  // Those of a snapshot stay, so that a snapshot of a snapshot is identical.
  const known = typeof dataFrom === 'string' ? dataFrom.split(' ') : [];
  const from = [address, ...others, ...known].flatMap((each) => webAddress(each, host.base) ?? []);
  image.properties['src'] = data;
  delete image.properties['dataFrom'];
  nameAddresses(image, [...new Set(from)].join(' '), host.room);
}

/** By these addresses, the text of the page finds its pictures in the snapshot: last, behind what the picture shows. */
function nameAddresses(image: Element, dataFrom: string, room: InlineRoom): void {
  if (dataFrom === '' || !room.take(dataFrom.length)) return;
  const { src } = image.properties;
  delete image.properties['src'];
  Object.assign(image.properties, { src, dataFrom });
}

/** A drawing in the page becomes a picture, because its language can hold all that a page can. */
function settleDrawing(drawing: Element, { room }: PageHost): void {
  const label = drawing.properties['ariaLabel'];
  const alt = typeof label === 'string' ? label : '';
  const svg = svgText(drawing);
  const data = svg === undefined ? undefined : svgUrl(svg);
  if (data === undefined || !room.take(data.length)) return leaveOut(drawing, 'Image', alt);
  drawing.tagName = 'img';
  Object.assign(drawing.properties, { src: data, alt });
  drawing.children = [];
}

function written(tree: Root, elements: readonly Element[], sheets: readonly Element[]): string | undefined {
  const named = (name: string) => elements.find(({ tagName }) => tagName === name);
  const clean = sanitize(tree, SNAPSHOT_SCHEMA);
  const content = 'children' in clean ? clean.children : [];
  const body = content.find((node) => node.type === 'element' && node.tagName === 'body');
  if (body?.type !== 'element' || isEmpty(body)) return undefined;
  const root = named('html');
  const attributes = sanitize(element('div', root?.properties ?? {}), SNAPSHOT_SCHEMA);
  const title = named('title')?.children.find((child) => child.type === 'text');
  const head = element('head', {}, [
    element('meta', { charSet: 'utf-8' }),
    element('meta', { httpEquiv: ['Content-Security-Policy'], content: SNAPSHOT_POLICY }),
    element('meta', { name: 'referrer', content: 'no-referrer' }),
    element('meta', { name: 'viewport', content: 'width=device-width' }),
    element('title', {}, [{ type: 'text', value: title?.type === 'text' ? title.value : '' }]),
    ...sheets,
    element('style', {}, [{ type: 'text', value: OWN_STYLES }]),
  ]);
  const html = element('html', attributes.type === 'element' ? attributes.properties : {}, [head, body]);
  return toHtml({ type: 'root', children: [{ type: 'doctype' }, html] });
}

function element(tagName: string, properties: Properties, children: ElementContent[] = []): Element {
  return { type: 'element', tagName, properties, children };
}

/** Pages rendered by scripts are empty without them. */
function isEmpty(body: Element): boolean {
  const open: Nodes[] = [body];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'text' && node.value.trim() !== '') return false;
    if (node.type === 'element' && node.tagName === 'img') return false;
    if ('children' in node) for (const child of node.children) open.push(child);
  }
  return true;
}

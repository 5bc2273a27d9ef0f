/**
 * A snapshot of a screen as plain data, and the markup that the service worker renders from it. Whatever is stored, the markup
 * has only the elements and attributes listed here, and every text in it is escaped.
 */

/** A text, or an element with its attributes and what is in it. */
export type SnapshotNode = string | SnapshotElement;
export type SnapshotElement = [
  tag: string,
  attributes: Readonly<Record<string, string>>,
  children: SnapshotNode[],
];

const LAYOUT_TAGS = ['div', 'span', 'p', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'time', 'kbd', 'a', 'img'];
const LANDMARK_TAGS = ['aside', 'nav', 'main', 'header', 'section', 'article', 'fieldset', 'legend'];
const FIELD_TAGS = ['button', 'label', 'input', 'textarea', 'output'];
const DRAWING_TAGS = ['svg', 'g', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'];
const VOID_TAGS: ReadonlySet<string> = new Set(['img', 'input']);

export const SNAPSHOT_TAGS: ReadonlySet<string> = new Set([
  ...LAYOUT_TAGS,
  ...LANDMARK_TAGS,
  ...FIELD_TAGS,
  ...DRAWING_TAGS,
]);

const LOOKS = ['class', 'style', 'dir', 'lang', 'title', 'data-item', 'data-roomy', 'data-collection'];
const STATES = [
  'data-state',
  'data-selected',
  'data-scroll',
  'data-surface',
  'aria-current',
  'aria-disabled',
];
const FIELDS = ['type', 'checked', 'disabled', 'rows', 'placeholder', 'aria-label', 'href', 'datetime'];
const SHAPES = [
  'd',
  'x',
  'y',
  'x1',
  'x2',
  'y1',
  'y2',
  'cx',
  'cy',
  'r',
  'rx',
  'ry',
  'points',
  'transform',
  'opacity',
  'pathLength',
];
const STROKES = ['width', 'height', 'viewBox', 'preserveAspectRatio', 'fill', 'stroke', 'stroke-width'];
const ENDS = ['stroke-linecap', 'stroke-linejoin', 'stroke-dasharray'];

/** Attributes that an element of a snapshot may have. No ids and no names: the live page has the same. */
export const SNAPSHOT_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...LOOKS,
  ...STATES,
  ...FIELDS,
  ...SHAPES,
  ...STROKES,
  ...ENDS,
]);

const MAX_DEPTH = 60;
/** Elements that the Tab key would stop at. */
const STOPS: ReadonlySet<string> = new Set(['a', 'button', 'input', 'textarea']);
/** Paths of this site and parameters of the page itself; two slashes would lead elsewhere. */
const OWN_ADDRESS = /^(?:\/(?![/\\])|\?)/;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');
}

/** Whether an attribute may have this value: addresses stay on this site, and no style loads a file. */
export function isSnapshotValue(name: string, value: string): boolean {
  if (name === 'href') return OWN_ADDRESS.test(value);
  return name !== 'style' || !/url|image|[\\@<]/i.test(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function attributesOf(tag: string, given: unknown): string {
  if (!isRecord(given)) throw new TypeError('A snapshot has attributes that are none');
  const texts = Object.entries(given).map(([name, value]) => {
    if (!SNAPSHOT_ATTRIBUTES.has(name) || typeof value !== 'string' || !isSnapshotValue(name, value))
      throw new TypeError(`A snapshot has an attribute ${name}`);
    return ` ${name}="${escapeText(value)}"`;
  });
  return texts.join('') + (STOPS.has(tag) ? ' tabindex="-1"' : '');
}

function markupOfNode(node: unknown, depth: number): string {
  if (typeof node === 'string') return escapeText(node);
  if (!Array.isArray(node) || node.length !== 3 || depth > MAX_DEPTH)
    throw new TypeError('A snapshot has a node that is none');
  const [tag, attributes, children]: unknown[] = node;
  if (typeof tag !== 'string' || !SNAPSHOT_TAGS.has(tag) || !Array.isArray(children))
    throw new TypeError(`A snapshot has an element ${String(tag)}`);
  const start = `<${tag}${attributesOf(tag, attributes)}>`;
  if (VOID_TAGS.has(tag)) return start;
  return `${start}${children.map((child) => markupOfNode(child, depth + 1)).join('')}</${tag}>`;
}

/** The markup of some nodes. @throws TypeError for anything else than what a snapshot may have */
export function markupOf(nodes: unknown): string {
  if (!Array.isArray(nodes)) throw new TypeError('A snapshot has no nodes');
  return nodes.map((node) => markupOfNode(node, 0)).join('');
}

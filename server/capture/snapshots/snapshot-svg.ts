// Drawings, as pictures: only shapes, text and their own paint. As the source of an image element, a drawing runs no script and
// loads no file in any browser; the file itself does neither.
import * as css from 'css-tree';
import type { Element, Nodes } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { sanitize, type Schema } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';

const SHAPES = ['circle', 'ellipse', 'line', 'path', 'polygon', 'polyline', 'rect'];
const PAINT = ['linearGradient', 'radialGradient', 'stop', 'pattern', 'clipPath', 'mask', 'marker', 'symbol'];
const FILTERS = ['filter', 'feBlend', 'feColorMatrix', 'feComposite', 'feFlood', 'feGaussianBlur', 'feMerge'];
const REFERRING = ['use', 'linearGradient', 'radialGradient', 'pattern', 'textPath'];
/** Another part of the same drawing. */
const PART = /^#[\w:.-]+$/;

const SCHEMA: Schema = {
  tagNames: [
    ...'svg g defs title desc text tspan textPath use switch style'.split(' '),
    ...SHAPES,
    ...PAINT,
    ...FILTERS,
    ...'feMergeNode feOffset'.split(' '),
  ],
  attributes: {
    '*': [
      ...'id className style transform x y x1 y1 x2 y2 dx dy cx cy r'.split(' '),
      ...'rx ry fx fy fr d points pathLength width height viewBox version'.split(' '),
      ...'preserveAspectRatio fill fillOpacity fillRule stroke strokeWidth strokeOpacity'.split(' '),
      ...'strokeLineCap strokeLineJoin strokeDashArray strokeDashOffset strokeMiterLimit'.split(' '),
      ...'opacity color display visibility clipPath clipRule mask filter offset'.split(' '),
      ...'stopColor stopOpacity gradientUnits gradientTransform spreadMethod patternUnits'.split(' '),
      ...'patternTransform patternContentUnits clipPathUnits maskUnits maskContentUnits'.split(' '),
      ...'markerStart markerMid markerEnd markerWidth markerHeight markerUnits orient'.split(' '),
      ...'refX refY fontFamily fontSize fontStyle fontWeight letterSpacing textAnchor'.split(' '),
      ...'dominantBaseline alignmentBaseline baselineShift textDecoration vectorEffect'.split(' '),
      ...'xmlSpace in in2 result stdDeviation mode operator values type k1 k2'.split(' '),
      ...'k3 k4 floodColor floodOpacity filterUnits primitiveUnits colorInterpolationFilters'.split(' '),
    ],
    ...Object.fromEntries(
      REFERRING.map((name) => [
        name,
        [
          ['href', PART],
          ['xLinkHref', PART],
        ],
      ]),
    ),
  },
  strip: [
    'script',
    'foreignObject',
    'animate',
    'animateMotion',
    'animateTransform',
    'set',
    'image',
    'metadata',
  ],
  ancestors: {},
  protocols: {},
  required: {},
  clobber: [],
};

/** A drawing as its own file; undefined for other text. */
export function cleanSvg(text: string): string | undefined {
  const tree = fromHtml(text, { fragment: true });
  const drawing = tree.children.find((node) => node.type === 'element' && node.tagName === 'svg');
  return drawing?.type === 'element' ? svgText(drawing) : undefined;
}

/** The markup of an SVG drawing in a page or a file. */
export function svgText(drawing: Element): string | undefined {
  const clean = sanitize(drawing, SCHEMA);
  if (clean.type !== 'element') return undefined;
  cleanParts(clean);
  Object.assign(clean.properties, {
    xmlns: 'http://www.w3.org/2000/svg',
    xmlnsXLink: 'http://www.w3.org/1999/xlink',
  });
  return toHtml(clean, { space: 'svg', closeEmptyElements: true });
}

function cleanParts(root: Nodes): void {
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type !== 'element' && node.type !== 'root') continue;
    for (const child of node.children) open.push(child);
    if (node.type !== 'element') continue;
    for (const [name, value] of Object.entries(node.properties)) {
      if (typeof value === 'string' && leadsOut(value)) delete node.properties[name];
    }
    if (node.tagName === 'style') node.children = styleOf(node);
  }
}

/** Paint may only refer to a part of the drawing, `url(#id)`. */
function leadsOut(value: string): boolean {
  if (/[\\@]|expression|javascript/i.test(value)) return true;
  return [...value.matchAll(/url\(\s*(['"]?)\s*(.?)/gi)].some(([, , first]) => first !== '#');
}

/** Plain rules alone; in a file of its own, markup would end the sheet. */
function styleOf({ children }: Element): Element['children'] {
  const text = children.map((child) => (child.type === 'text' ? child.value : '')).join('');
  const tree = css.parse(text);
  css.walk(tree, {
    enter(node: css.CssNode, item: css.ListItem<css.CssNode>, list: css.List<css.CssNode> | undefined) {
      if (list !== undefined && (node.type === 'Atrule' || node.type === 'Raw' || node.type === 'Comment'))
        list.remove(item);
    },
  });
  const value = css.generate(tree);
  return leadsOut(value) || /[<&]/.test(value) ? [] : [{ type: 'text', value }];
}

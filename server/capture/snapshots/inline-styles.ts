// Stylesheets that refer to nothing outside of themselves: imports are written out, pictures become data: URLs, and addresses
// that could not be loaded or could lead out are removed. Parsed by css-tree, which recovers from errors as browsers do.
import * as css from 'css-tree';
import type { Resource, ResourceAddress } from './page-resource.ts';
import { SNAPSHOT } from './snapshot-limits.ts';

/** Resources of the page for inlining its styles. */
export interface StyleHost {
  /** Undefined for a sheet that is not there, or for which there is no room. */
  sheet: (address: ResourceAddress) => Promise<Resource | undefined>;
  /** A picture as a data: URL; undefined for one that is left out. */
  picture: (address: string, base: string) => Promise<string | undefined>;
}

const AT_RULES: ReadonlySet<string> = new Set([
  ...'media supports layer container keyframes page property scope counter-style'.split(' '),
  'starting-style',
]);
/** Properties through which old browsers load code. */
const LOADING: ReadonlySet<string> = new Set(['behavior', 'binding']);
/** Functions whose texts are addresses. */
const ADDRESSING: ReadonlySet<string> = new Set(['image-set', 'image', 'src', 'cross-fade', 'expression']);
/** The address of an empty picture, so that the rest of the value stays valid. */
const NOTHING = 'data:,';

interface Sheet {
  /** The address that relative ones resolve against. */
  base: string;
  depth: number;
}

/** A whole stylesheet. */
export async function inlineStyles(text: string, base: string, host: StyleHost): Promise<string> {
  return inlined(text, { base, depth: 0 }, host);
}

export async function inlineDeclarations(text: string, base: string, host: StyleHost): Promise<string> {
  const tree = css.parse(text, { context: 'declarationList', parseCustomProperty: true });
  clean(tree);
  await inlinePictures(tree, base, host);
  return written(tree);
}

async function inlined(text: string, sheet: Sheet, host: StyleHost): Promise<string> {
  const tree = css.parse(text, { parseCustomProperty: true });
  const imports = importsOf(tree);
  clean(tree);
  const imported = await Promise.all(imports.map((each) => importedSheet(each, sheet, host)));
  await inlinePictures(tree, sheet.base, host);
  return [...imported, written(tree)].join('');
}

/** In a style element, an end tag would end it. */
function written(tree: css.CssNode): string {
  return css.generate(tree).replaceAll('</', '<\\/');
}

interface Import {
  url: string;
  /** Empty for all media. */
  media: string;
}

function importsOf(tree: css.CssNode): Import[] {
  const imports: Import[] = [];
  if (tree.type !== 'StyleSheet') return imports;
  tree.children.forEach((node) => {
    if (node.type !== 'Atrule' || node.name.toLowerCase() !== 'import') return;
    if (node.prelude?.type !== 'AtrulePrelude') return;
    const parts = node.prelude.children.toArray();
    const [address] = parts;
    if (address?.type !== 'Url' && address?.type !== 'String') return;
    const media = parts.filter((part) => part.type === 'MediaQueryList').map((part) => css.generate(part));
    imports.push({ url: address.value, media: media.join(' ') });
  });
  return imports;
}

async function importedSheet(
  { url, media }: Import,
  { base, depth }: Sheet,
  host: StyleHost,
): Promise<string> {
  const address = URL.parse(url, base);
  if (address === null || depth >= SNAPSHOT.importDepth) return '';
  const found = await host.sheet({ kind: 'style', url: address.href });
  if (found === undefined) return '';
  const text = await inlined(textOf(found), { base: found.url, depth: depth + 1 }, host);
  return media === '' ? text : `@media ${media}{${text}}`;
}

export function textOf({ body, charset = 'utf-8' }: Resource): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // A name that is no encoding.
    return new TextDecoder().decode(body);
  }
}

/** Removes all that is not known to be harmless. */
function clean(tree: css.CssNode): void {
  css.walk(tree, {
    enter(node: css.CssNode, item: css.ListItem<css.CssNode>, list: css.List<css.CssNode> | undefined) {
      // A node that is the only one of its kind, a prelude for one, is in no list.
      if (list !== undefined && isRemoved(node)) list.remove(item);
      else if (node.type === 'Declaration') unpin(node);
    },
  });
}

function isRemoved(node: css.CssNode): boolean {
  if (node.type === 'Atrule')
    return !AT_RULES.has(css.keyword(node.name).basename) || node.prelude?.type === 'Raw';
  if (node.type === 'Rule') return node.prelude.type === 'Raw';
  if (node.type === 'Declaration')
    return node.value.type === 'Raw' || LOADING.has(css.property(node.property).basename) || addresses(node);
  return node.type === 'Raw' || node.type === 'Comment' || node.type === 'CDO' || node.type === 'CDC';
}

/** Whether a value holds addresses that are no `url()`. */
function addresses(declaration: css.Declaration): boolean {
  const found = css.find(
    declaration,
    (node) =>
      node.type === 'Raw' ||
      (node.type === 'Function' &&
        ADDRESSING.has(css.keyword(node.name).basename) &&
        css.find(node, (part) => part.type === 'String' || node.name.toLowerCase() === 'expression') !==
          null),
  );
  return found !== null;
}

/** Without scripts, banners over the page cannot be closed: they become part of its flow. */
function unpin({ property, value }: css.Declaration): void {
  if (property.toLowerCase() !== 'position' || value.type !== 'Value') return;
  value.children.forEach((part) => {
    if (part.type === 'Identifier' && part.name.toLowerCase() === 'fixed') part.name = 'static';
  });
}

async function inlinePictures(tree: css.CssNode, base: string, host: StyleHost): Promise<void> {
  const addressed: css.Url[] = [];
  css.walk(tree, (node) => {
    if (node.type === 'Url' && !node.value.startsWith('#')) addressed.push(node);
  });
  await Promise.all(
    addressed.map(async (node) => {
      node.value = (await host.picture(node.value, base)) ?? NOTHING;
    }),
  );
}

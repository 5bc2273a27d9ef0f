// Copies the page in front of the person. The function runs inside the page, so it uses no code outside of itself.

export interface PageCopy {
  url: string;
  title: string;
  /** Empty without one. */
  selection: string;
  /** Without scripts, form values, and hidden fields. */
  html: string;
}

/**
 * The document as it is now, after its scripts, with the content of shadow trees in place. Parts that a reader does not see are
 * left out, because they may be secret: scripts, form values, hidden fields, attributes that run.
 * @param withLooks also its styles, and the pictures of its own site, which may be shown only to those who are logged in
 */
export async function copyPage(withLooks: boolean): Promise<PageCopy> {
  // Together less than what a server takes for a page.
  const STYLES_MAX = 2_000_000;
  const PICTURES = { count: 60, bytes: 1_500_000, all: 4_000_000, limitMs: 4_000 };
  const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif)$/;
  const LEFT_OUT = new Set(['noscript', 'template', 'iframe', 'frame', 'object', 'embed', 'canvas', 'audio']);
  // Authors and dates, and the sources of formulas.
  const KEPT_SCRIPTS = /^(?:application\/ld\+json|math\/)/i;
  const KEPT_ATTRIBUTES = new Set([
    ...'id class href src srcset alt title lang dir datetime cite name content'.split(' '),
    ...'property itemprop itemtype itemscope rel type charset colspan rowspan start media'.split(' '),
    ...'role aria-label aria-hidden hidden style display alttext encoding open scope'.split(' '),
  ]);
  const VOID = new Set([
    'area',
    'base',
    'br',
    'col',
    'hr',
    'img',
    'input',
    'link',
    'meta',
    'source',
    'track',
    'wbr',
  ]);
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const parts: string[] = [];

  /** The rules of a sheet as they are now, with whole addresses; undefined where the page may not read them itself. */
  const rulesOf = (sheet: CSSStyleSheet): string | undefined => {
    try {
      const rules = Array.from(sheet.cssRules, ({ cssText }) => cssText).join('\n');
      const base = sheet.href ?? document.baseURI;
      return rules
        .replaceAll(/url\("(?!data:|#)([^"\\]*)"\)/g, (whole, address: string) =>
          URL.canParse(address, base) ? `url("${new URL(address, base).href}")` : whole,
        )
        .replaceAll('</', '<\\/');
    } catch {
      return undefined;
    }
  };
  let stylesLeft = withLooks ? STYLES_MAX : 0;
  /** Empty for one that is left to the server. Those of a shadow tree would apply to the whole page. */
  const styleOf = (element: Element, name: string): string => {
    const sheet = name === 'style' || name === 'link' ? (element as HTMLStyleElement).sheet : null;
    if (!sheet || sheet.disabled || element.getRootNode() !== document) return '';
    const rules = rulesOf(sheet);
    if (!rules || rules.length > stylesLeft) return '';
    stylesLeft -= rules.length;
    return `<style media="${escaped(sheet.media.mediaText)}">${rules}</style>`;
  };
  const asData = (blob: Blob) =>
    new Promise<string>((resolve, reject) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
      reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
      reader.readAsDataURL(blob);
    });
  /** What the pictures show, as data URLs: of the same site, as the person who is logged in gets them. */
  const picturesOf = async (): Promise<ReadonlyMap<Element, string>> => {
    const found = new Map<Element, string>();
    let left = PICTURES.all;
    const signal = AbortSignal.timeout(PICTURES.limitMs);
    const own = [...document.images].filter(
      ({ currentSrc, naturalWidth }) =>
        naturalWidth > 1 && URL.canParse(currentSrc) && new URL(currentSrc).origin === location.origin,
    );
    await Promise.all(
      own.slice(0, PICTURES.count).map(async (image) => {
        try {
          const init = { credentials: 'include', cache: 'force-cache', signal } as const;
          const blob = await (await fetch(image.currentSrc, init)).blob();
          if (!PICTURE.test(blob.type) || blob.size > Math.min(PICTURES.bytes, left)) return;
          left -= blob.size;
          found.set(image, await asData(blob));
        } catch {
          // The server tries it again without the log-in.
        }
      }),
    );
    return found;
  };
  const pictures = withLooks ? await picturesOf() : new Map<Element, string>();
  const isShownBy = (element: Element, name: string) =>
    name === 'source' &&
    element.parentElement !== null &&
    [...element.parentElement.children].some((each) => pictures.has(each));

  const isLeftOut = (element: Element, name: string): boolean => {
    if (name === 'script') return !KEPT_SCRIPTS.test(element.getAttribute('type') ?? '');
    if (name === 'input') return element.getAttribute('type')?.toLowerCase() !== 'password';
    return LEFT_OUT.has(name) || name === 'style' || isShownBy(element, name);
  };
  const childrenOf = (element: Element): Iterable<Node> => {
    if (element instanceof HTMLSlotElement && element.assignedNodes().length > 0)
      return element.assignedNodes();
    const extension = (
      globalThis as { chrome?: { dom?: { openOrClosedShadowRoot(of: Element): ShadowRoot | null } } }
    ).chrome;
    const shadow =
      element instanceof HTMLElement && extension?.dom
        ? extension.dom.openOrClosedShadowRoot(element)
        : element.shadowRoot;
    return (shadow ?? element).childNodes;
  };
  // A list of what is still to be written, because pages can be nested deeper than calls can.
  const open: (Node | string)[] = [document.documentElement];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') parts.push(next);
    else if (next.nodeType === Node.TEXT_NODE) parts.push(escaped(next.nodeValue ?? ''));
    else if (next instanceof Element) {
      const name = next.localName.toLowerCase();
      const style = styleOf(next, name);
      parts.push(style);
      if (style !== '' || isLeftOut(next, name)) continue;
      const picture = pictures.get(next);
      const attributes = [...next.attributes]
        .filter((each) => KEPT_ATTRIBUTES.has(each.name) && !/^\s*data:/i.test(each.value))
        .filter((each) => picture === undefined || (each.name !== 'src' && each.name !== 'srcset'))
        .map((each) => ` ${each.name}="${escaped(each.value)}"`);
      if (picture !== undefined) attributes.push(` src="${picture}"`);
      parts.push(`<${name}${attributes.join('')}>`);
      if (VOID.has(name)) continue;
      if (name === 'script') {
        // Unchanged, because entities mean nothing in a script.
        parts.push((next.textContent ?? '').replaceAll(/<\/(?=script)/gi, '<\\/'), '</script>');
        continue;
      }
      open.push(`</${name}>`, ...[...childrenOf(next)].toReversed());
    }
  }
  for (const sheet of document.adoptedStyleSheets) {
    const rules = rulesOf(sheet) ?? '';
    if (rules.length > stylesLeft) break;
    stylesLeft -= rules.length;
    if (rules !== '') parts.push(`<style>${rules}</style>`);
  }
  return {
    url: location.href,
    title: document.title,
    selection: getSelection()?.toString() ?? '',
    html: `<!doctype html>${parts.join('')}`,
  };
}

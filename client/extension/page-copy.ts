// Copies the page in front of the person. The function runs inside the page, so it uses no code outside of itself.

export interface PageCopy {
  url: string;
  title: string;
  /** Empty without one. */
  selection: string;
  /** Without scripts, styles, form values, and hidden fields. */
  html: string;
}

/**
 * The document as it is now, after its scripts, with the content of shadow trees in place. Parts that the text of a page does
 * not need are left out, because they may be secret: scripts, form values, hidden fields, attributes that run.
 */
export function copyPage(): PageCopy {
  const LEFT_OUT = new Set([
    'style',
    'noscript',
    'template',
    'iframe',
    'frame',
    'object',
    'embed',
    'canvas',
    'audio',
  ]);
  // Authors and dates, and the sources of formulas.
  const KEPT_SCRIPTS = /^(?:application\/ld\+json|math\/)/i;
  const KEPT_ATTRIBUTES = new Set([
    ...'id class href src srcset alt title lang dir datetime cite name content'.split(' '),
    ...'property itemprop itemtype itemscope rel type charset colspan rowspan start'.split(' '),
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

  const isLeftOut = (element: Element, name: string): boolean => {
    if (name === 'script') return !KEPT_SCRIPTS.test(element.getAttribute('type') ?? '');
    if (name === 'input') return element.getAttribute('type')?.toLowerCase() !== 'password';
    return LEFT_OUT.has(name);
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
      if (isLeftOut(next, name)) continue;
      const attributes = [...next.attributes]
        .filter((each) => KEPT_ATTRIBUTES.has(each.name) && !/^\s*data:/i.test(each.value))
        .map((each) => ` ${each.name}="${escaped(each.value)}"`);
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
  return {
    url: location.href,
    title: document.title,
    selection: getSelection()?.toString() ?? '',
    html: `<!doctype html>${parts.join('')}`,
  };
}

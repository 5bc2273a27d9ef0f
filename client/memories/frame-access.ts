/**
 * How a saved page may be shown. A frame with our origin can be read, for highlights; the browser lays it out in the same
 * thread as the application. Without an origin, browsers give it a process of its own, where a large page delays nothing.
 */

/** Pages above these are shown without an origin: laying them out would cause a noticeable pause. */
export const READABLE_PAGE = {
  elements: 3_000,
  /** Characters of markup and styles, without pictures. */
  markup: 600_000,
  /** Bytes of the file; a larger one is not even looked into. */
  bytes: 8 * 1024 * 1024,
} as const;

/** Links open outside of the frame, as pages of their own. Neither form runs scripts. */
const APART = 'allow-popups allow-popups-to-escape-sandbox';
const READABLE = `allow-same-origin ${APART}`;

export async function sandboxFor(page: Blob): Promise<string> {
  if (page.size > READABLE_PAGE.bytes) return APART;
  return isSmall(await page.text()) ? READABLE : APART;
}

function isSmall(html: string): boolean {
  let elements = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    elements += 1;
    // A start and an end tag each.
    if (elements > 2 * READABLE_PAGE.elements) return false;
  }
  let markup = html.length;
  for (let at = html.indexOf('data:'); at >= 0;) {
    const end = at + lengthOfData(html, at);
    markup -= end - at;
    at = html.indexOf('data:', end + 1);
  }
  return markup <= READABLE_PAGE.markup;
}

const DATA = /data:[\w/.+-]*;base64,[\w+/=]*/y;

/** Characters of the address that begins here; none for words that only look like one. */
function lengthOfData(html: string, at: number): number {
  DATA.lastIndex = at;
  return DATA.exec(html)?.[0].length ?? 0;
}

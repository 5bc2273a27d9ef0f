/** Puts the snapshot of a screen into the document of the application. Runs in the service worker. */
import { markupOf } from '#client/start/snapshot-markup.ts';
import { rowsElement } from '#client/start/snapshot-rows.ts';
import { findSnapshot, type ScreenSnapshot } from '#client/start/snapshot-store.ts';

const ROOT = '<div id="root">';
const BUILD = /<meta name="build" content="(\w+)"/;

/**
 * Shown at the window width at which it was recorded; there the application is laid out beneath it, hidden, until it has its
 * own first screen (client/start/screen-ready.ts). Assistive technology waits for that.
 */
function sectionOf({ width, nodes, rows }: ScreenSnapshot): string {
  const styles =
    `#screen-snapshot{display:none}@media (width:${Math.round(width)}px){#screen-snapshot{display:block}` +
    `#screen-snapshot+#root{position:absolute;inset:0 0 auto;visibility:hidden}}`;
  return `${rowsElement(rows)}<div id="screen-snapshot" aria-hidden="true"><style>${styles}</style>${markupOf(nodes)}</div>`;
}

export interface SnapshotRequest {
  token: string;
  address: string;
}

/** The document with the last screen of the address, or as it is where there is none that fits its build. */
export async function withSnapshot(html: string, { token, address }: SnapshotRequest): Promise<string> {
  try {
    const snapshot = await findSnapshot(token, address);
    if (snapshot === undefined || snapshot.build !== BUILD.exec(html)?.[1]) return html;
    const section = sectionOf(snapshot);
    return html.replace(ROOT, () => section + ROOT);
  } catch (error) {
    console.warn('start: a snapshot could not be used', error);
    return html;
  }
}

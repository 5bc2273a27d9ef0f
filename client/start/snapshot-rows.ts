/** The element with which the document of a page carries the rows of its snapshot, as JSON. */

export const SNAPSHOT_ROWS_ID = 'snapshot-rows';

/** Markup of the element; no text in it can end it. */
export function rowsElement(rows: string): string {
  return `<script type="application/json" id="${SNAPSHOT_ROWS_ID}">${rows.replaceAll('<', String.raw`\u003c`)}</script>`;
}

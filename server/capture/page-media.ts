// Media types from which a page can be read. Separate from the reader, which only threads load.

const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
export const PLAIN: ReadonlySet<string> = new Set(['text/plain', 'text/markdown', 'text/x-markdown']);

/** Media types that are read as HTML. */
export function isDocument(mediaType: string): boolean {
  // Without a type, browsers inspect the content, which is nearly always a page.
  return mediaType === '' || HTML.has(mediaType);
}

export function isReadable(mediaType: string): boolean {
  return isDocument(mediaType) || PLAIN.has(mediaType);
}

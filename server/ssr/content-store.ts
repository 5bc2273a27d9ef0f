// The server's view of the site's content: every document and page with its words, read once from the build.
// Knows the file's shape and nothing of how it was made.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type SourceDocument, sourceDocument } from '#shared/site/content.ts';

export interface ContentStore {
  all(): SourceDocument[];
  find(path: string): SourceDocument | undefined;
}

/** Reads the list. `fresh` reads again on every call, for development, where content changes under the server. */
export function openContent(file: string, { fresh = false } = {}): ContentStore {
  const read = (): SourceDocument[] => z.array(sourceDocument).parse(JSON.parse(readFileSync(file, 'utf8')));
  const kept = fresh ? undefined : read();
  const all = (): SourceDocument[] => kept ?? read();
  return { all, find: (path) => all().find((document) => document.path === path) };
}

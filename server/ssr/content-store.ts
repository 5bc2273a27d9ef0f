// The server's view of the site's content: every document and page with its text, read once from the build. Depends on the
// file's shape only, not on the build.
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

/**
 * Markdown that loads its renderer when it is first needed and shows the plain text until then.
 * The door to markdown.tsx for every screen.
 */
import type { ComponentProps } from 'react';
import { lazyPart } from '#client/ui/lazy-part.tsx';
import type { Markdown } from '#client/ui/markdown.tsx';

const load = () => import('#client/ui/markdown.tsx').then((chunk) => chunk.Markdown);

/** Fetches the renderer ahead, at idle time; one that does not come is fetched again when it is needed. */
export async function preloadMarkdown(): Promise<void> {
  await load().catch((error: unknown) => console.info('Markdown is not here yet', error));
}

/** Same height before and after in the common case of short text, so that nothing jumps. */
function PlainText({ source }: ComponentProps<typeof Markdown>) {
  return <div className="text-sm leading-6 whitespace-pre-wrap">{source}</div>;
}

export const LazyMarkdown = lazyPart('formatted text', load, PlainText);

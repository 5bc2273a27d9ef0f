/**
 * Markdown that loads its renderer when it is first needed and shows the plain text until then.
 * The door to markdown.tsx for every screen.
 */
import { lazyPart } from '#client/ui/lazy-part.tsx';
import { PlainText } from '#client/ui/plain-text.tsx';

const load = () => import('#client/ui/markdown.tsx').then((chunk) => chunk.Markdown);

/** Fetches the renderer ahead, at idle time; one that does not come is fetched again when it is needed. */
export async function preloadMarkdown(): Promise<void> {
  await load().catch((error: unknown) => console.info('Markdown is not here yet', error));
}

export const LazyMarkdown = lazyPart('formatted text', load, PlainText);

/**
 * Markdown that loads its renderer when it is first needed and shows the plain text until then.
 * The door to markdown.tsx for every screen.
 */
import { lazy, Suspense, type ComponentProps } from 'react';
import type { Markdown } from '#client/ui/markdown.tsx';

const load = () => import('#client/ui/markdown.tsx').then((chunk) => ({ default: chunk.Markdown }));
const Lazy = lazy(load);

/** Fetches the renderer ahead, at idle time. */
export async function preloadMarkdown(): Promise<void> {
  await load();
}

/** Same height before and after in the common case of short text, so that nothing jumps. */
export function LazyMarkdown(props: ComponentProps<typeof Markdown>) {
  return (
    <Suspense fallback={<div className="text-sm leading-6 whitespace-pre-wrap">{props.source}</div>}>
      <Lazy {...props} />
    </Suspense>
  );
}

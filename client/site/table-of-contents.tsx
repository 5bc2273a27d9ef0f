/** The headings of a document beside it; reading-place.ts marks the one being read. */
import { clsx } from 'clsx';
import type { Heading } from '#shared/site/content.ts';

/** Nothing for documents with fewer than two headings. */
export function TableOfContents({ headings }: { headings: Heading[] }) {
  if (headings.length < 2) return null;
  return (
    <nav id="contents" aria-label="On this page" className="hidden lg:block">
      <div data-scroll className="sticky top-24 max-h-[calc(100dvh-8rem)] overflow-y-auto">
        <p className="text-sm font-semibold">On this page</p>
        <ul className="mt-3 space-y-1 border-s border-line">
          {headings.map(({ id, text, depth }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className={clsx(
                  '-ms-px block border-s border-transparent py-1 text-sm leading-5 wrap-anywhere text-ink-muted hover:text-ink',
                  'aria-[current]:border-primary aria-[current]:font-medium aria-[current]:text-primary',
                  depth === 3 ? 'ps-7' : 'ps-4',
                )}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

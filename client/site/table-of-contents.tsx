// The headings of a document beside it, with the one being read marked.
import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import type { Heading } from '#shared/site/content.ts';

/** Id of the heading last scrolled past; undefined above the first. */
function useCurrentHeading(headings: Heading[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entered = entries.findLast(({ isIntersecting }) => isIntersecting);
        if (entered) setCurrent(entered.target.id);
      },
      { rootMargin: '-80px 0px -70% 0px' },
    );
    for (const { id } of headings) {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [headings]);
  return current;
}

/** Nothing for documents with fewer than two headings. */
export function TableOfContents({ headings }: { headings: Heading[] }) {
  const current = useCurrentHeading(headings);
  if (headings.length < 2) return null;
  return (
    <nav aria-label="On this page" className="hidden lg:block">
      <div data-scroll className="sticky top-24 max-h-[calc(100dvh-8rem)] overflow-y-auto">
        <p className="text-sm font-semibold">On this page</p>
        <ul className="mt-3 space-y-1 border-s border-line">
          {headings.map(({ id, text, depth }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                aria-current={id === current ? 'location' : undefined}
                className={clsx(
                  '-ms-px block border-s py-1 text-sm leading-5 wrap-anywhere',
                  depth === 3 ? 'ps-7' : 'ps-4',
                  id === current
                    ? 'border-primary font-medium text-primary-text'
                    : 'border-transparent text-ink-muted hover:text-ink',
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

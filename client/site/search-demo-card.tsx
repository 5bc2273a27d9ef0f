// Sample notes that visitors can search in the page. The server draws all of them; `search-demo.ts` brings the field to life.
import type { IndexData } from '#shared/site/content.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';

export function SearchDemoCard({ demo }: { demo: IndexData['demo'] }) {
  return (
    <section
      data-search-demo=""
      aria-label={demo.label}
      className="h-fit overflow-hidden rounded-dialog border border-line bg-raised shadow-float"
    >
      <div className="border-b border-line p-3 noscript:hidden">
        <label className="flex h-11 items-center gap-3 rounded-control border border-line-control px-3 focus-within:border-primary">
          <SiteIcon name="search" className="size-4 shrink-0 text-ink-muted" />
          <span className="sr-only">{demo.label}</span>
          <input
            type="search"
            placeholder={demo.label}
            autoComplete="off"
            spellCheck={false}
            aria-controls="search-demo-notes"
            className="h-full min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-ink-faint"
          />
        </label>
        <p className="mt-3 flex flex-wrap items-center gap-2 text-sm text-ink-muted">
          Try
          {demo.queries.map((query) => (
            <button
              key={query}
              type="button"
              data-action="try-query"
              className="min-h-7 rounded-full border border-line px-2.5 font-mono text-xs text-ink hover:border-line-strong hover:bg-hover pointer-coarse:min-h-11"
            >
              {query}
            </button>
          ))}
        </p>
      </div>
      {/* As tall as the list is at first, so that the page below does not move while it gets shorter. */}
      <div className="min-h-[28rem] sm:min-h-[23rem]">
        <ul id="search-demo-notes" className="p-1.5">
          {demo.notes.map(({ title, text, tags }) => (
            <li key={title} className="px-2.5 py-2">
              <p className="flex items-baseline gap-2">
                <span data-part="title" className="min-w-0 flex-1 truncate text-row">
                  {title}
                </span>
                {tags.map((tag) => (
                  <span key={tag} data-part="tag" className="text-xs text-ink-faint before:content-['#']">
                    {tag}
                  </span>
                ))}
              </p>
              <p data-part="text" className="text-sm text-ink-muted">
                {text}
              </p>
            </li>
          ))}
        </ul>
      </div>
      <p className="flex items-center gap-2 border-t border-line px-4 py-2.5 text-xs text-ink-muted">
        <SiteIcon name="check" className="size-3.5 shrink-0 text-primary" />
        <output data-part="status">{demo.notes.length} notes in this page</output>
      </p>
    </section>
  );
}

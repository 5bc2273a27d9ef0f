/**
 * The first stop of the Tab key: jumps over the navigation to the page.
 * Needs an element with the id `main`.
 */

/** Visible only while it has the focus. */
export function SkipLink() {
  return (
    <a
      href="#main"
      data-print="hide"
      className="sr-only z-80 rounded-control bg-raised px-4 py-2 text-sm font-medium shadow-float focus:not-sr-only focus:fixed focus:start-3 focus:top-3"
    >
      Skip to content
    </a>
  );
}

/** The document head of the application: the title of the page that is open. Nothing in it is for search engines. */
import { useMatches } from 'react-router';
import { isPageRoute } from '#client/page-route.ts';
import { titleOf } from '#client/public-head.tsx';
import { failureOf, failureMessage } from '#client/shell/page-failure.ts';

/** `error` is what the page failed with. */
export function Head({ error }: { error?: unknown }) {
  const page = useMatches().findLast(({ handle }) => isPageRoute(handle))?.handle;
  const title =
    error === undefined ? isPageRoute(page) && page.title : failureMessage(failureOf(error)).title;
  return (
    <>
      <title>{titleOf(title || undefined)}</title>
      <meta name="robots" content="noindex" />
    </>
  );
}

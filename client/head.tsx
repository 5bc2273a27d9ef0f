// The document head of the current page. On the server the tags are rendered apart and put into the template;
// in the browser React adopts them (FRONTEND section 4, head without doubles).
import { useLocation, useMatches } from 'react-router';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { isPageRoute, type PageMeta } from '#client/page-route.ts';
import { failureOf, failureWords } from '#client/shell/page-failure.ts';

/** The spec's title template: the product name after a pipe. */
export function titleOf(meta: PageMeta): string {
  return meta.title ? `${meta.title} | ${PRODUCT_NAME}` : PRODUCT_NAME;
}

interface HeadTagsProps {
  meta: PageMeta;
  origin: string;
  pathname: string;
}

/** The tags themselves, the same on both sides. */
export function HeadTags({ meta, origin, pathname }: HeadTagsProps) {
  const url = `${origin}${meta.canonical ?? pathname}`;
  const title = titleOf(meta);
  return (
    <>
      <title>{title}</title>
      {meta.description && <meta name="description" content={meta.description} />}
      {meta.noindex ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={url} />}
      {import.meta.env.SSR && <PreviewTags meta={meta} origin={origin} url={url} />}
      {meta.alternates?.map((link) => (
        <link key={link.href} rel="alternate" type={link.type} href={link.href} title={link.title} />
      ))}
    </>
  );
}

/** What link previews and crawlers read; they never see a client navigation. */
function PreviewTags({ meta, origin, url }: { meta: PageMeta; origin: string; url: string }) {
  const title = meta.title ?? PRODUCT_NAME;
  return (
    <>
      <meta property="og:site_name" content={PRODUCT_NAME} />
      <meta property="og:title" content={title} />
      <meta property="og:type" content={meta.type ?? 'website'} />
      <meta property="og:url" content={url} />
      {meta.description && <meta property="og:description" content={meta.description} />}
      {meta.image && <meta property="og:image" content={`${origin}${meta.image}`} />}
      {meta.image && <meta property="og:image:width" content="1200" />}
      {meta.image && <meta property="og:image:height" content="630" />}
      <meta name="twitter:card" content={meta.image ? 'summary_large_image' : 'summary'} />
      {meta.embeddable && (
        <link
          rel="alternate"
          type="application/json+oembed"
          href={`${origin}/oembed?url=${encodeURIComponent(url)}`}
          title={title}
        />
      )}
      {meta.published && <meta property="article:published_time" content={meta.published} />}
      {meta.modified && <meta property="article:modified_time" content={meta.modified} />}
    </>
  );
}

interface Match {
  handle: unknown;
  loaderData: unknown;
  params: Record<string, string | undefined>;
}

/** Asks the deepest page among the matches for its head; one that failed has that of the error page. */
export function metaOf(matches: Match[], pathname: string, error: unknown): PageMeta {
  if (error !== undefined) {
    const { title, description } = failureWords(failureOf(error));
    return { title, description, noindex: true };
  }
  for (const match of matches.toReversed()) {
    if (isPageRoute(match.handle)) {
      // While the shell loads the page's data there is nothing to say about it yet.
      if (match.loaderData === undefined) return {};
      return match.handle.meta?.({ data: match.loaderData, params: match.params, pathname }) ?? {};
    }
  }
  return {};
}

/** In-tree head. Renders nothing on the server, where the template carries the tags. */
export function Head({ error }: { error?: unknown }) {
  const matches = useMatches();
  const { pathname } = useLocation();
  if (import.meta.env.SSR) return null;
  return <HeadTags meta={metaOf(matches, pathname, error)} origin={location.origin} pathname={pathname} />;
}

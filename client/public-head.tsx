/** The document head of a public page: title, description, previews for other sites, other forms of the page. */
import { PRODUCT_NAME } from '#shared/constants.ts';
import type { PageMeta } from '#client/public-page.tsx';
import { titleOf } from '#client/shell/page-title.ts';

interface HeadTagsProps {
  meta: PageMeta;
  origin: string;
  pathname: string;
}

export function HeadTags({ meta, origin, pathname }: HeadTagsProps) {
  const url = `${origin}${meta.canonical ?? pathname}`;
  return (
    <>
      <title>{titleOf(meta.title)}</title>
      {meta.description && <meta name="description" content={meta.description} />}
      {meta.noindex ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={url} />}
      <PreviewTags meta={meta} origin={origin} url={url} />
      {meta.alternates?.map((link) => (
        <link key={link.href} rel="alternate" type={link.type} href={link.href} title={link.title} />
      ))}
    </>
  );
}

/** Open Graph and Twitter card tags for link previews and crawlers. */
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

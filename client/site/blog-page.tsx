// The list of posts, newest first. Headline and words come from content/blog.yml.
import type { BlogData, PostCard } from '#shared/site/content.ts';
import { Column } from '#client/site/section.tsx';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { formatDate } from '#shared/english.ts';
import { noonOf } from '#client/ui/local-day.ts';

export function BlogPage({ data }: { data: BlogData & { posts: PostCard[] } }) {
  const { headline, description, features, posts } = data;
  return (
    <Column className="py-16 sm:py-24">
      <h1 className="font-serif text-title">{headline}</h1>
      <p className="mt-5 max-w-2xl text-reading text-ink-muted">{description}</p>
      <div className="mt-14 grid gap-12 lg:grid-cols-[2fr_1fr]">
        <ul className="divide-y divide-line border-t border-line">
          {posts.map((post) => (
            <li key={post.path} className="group relative py-8">
              <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-muted">
                <time dateTime={post.date}>{formatDate(noonOf(post.date))}</time>
                <span>{post.minutes} min read</span>
                {post.badge && (
                  <span className="rounded-full bg-primary-soft px-2.5 py-0.5 text-xs font-medium text-primary">
                    {post.badge}
                  </span>
                )}
              </p>
              <h2 className="mt-2 font-serif text-page">
                <a href={post.path} className="after:absolute after:inset-0 group-hover:text-primary">
                  {post.title}
                </a>
              </h2>
              <p className="mt-3 max-w-2xl text-base text-ink-muted">{post.description}</p>
            </li>
          ))}
        </ul>
        <aside aria-label="About this blog" className="space-y-6 lg:border-s lg:border-line lg:ps-8">
          {features.map((feature) => (
            <div key={feature.title}>
              <h2 className="font-serif text-name">{feature.title}</h2>
              <p className="mt-1 leading-6 text-ink-muted">{feature.description}</p>
            </div>
          ))}
          <p>
            <a
              href="/feed.xml"
              className="inline-flex min-h-8 items-center gap-2 text-sm font-medium text-primary hover:underline pointer-coarse:min-h-11"
            >
              <SiteIcon name="rss" className="size-4" />
              Follow by feed
            </a>
          </p>
        </aside>
      </div>
    </Column>
  );
}

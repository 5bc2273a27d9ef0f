/** `/p/{workspace}`: the public content of a workspace, without its people. Rendered on the server, complete without script. */
import { pathTo } from '#shared/pages.ts';
import type { PublicThread } from '#shared/threads/public-thread.ts';
import { PublicSpaceCard } from '#client/spaces/public-space-card.tsx';
import { PageLinks } from '#client/shell/page-links.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import type { PublicWorkspaceData } from '#client/workspaces/public-workspace-data.ts';
import { countOf } from '#shared/english.ts';

function ThreadRow({ thread }: { thread: PublicThread }) {
  const { id, name, summary, messageCount, updated, workspace } = thread;
  return (
    <li className="group relative border-b border-line py-4 wrap-anywhere">
      <h3 className="font-serif text-name">
        <a
          href={pathTo('public_thread', { workspace_slug: workspace.slug, thread_id: id })}
          className="after:absolute after:inset-0 group-hover:text-primary"
        >
          {name}
        </a>
      </h3>
      {summary && <p className="mt-1 line-clamp-2 leading-6 text-ink-muted">{summary}</p>}
      <p className="mt-1 text-xs text-ink-muted">
        {countOf(messageCount, 'message')} · <RelativeTime at={updated} />
      </p>
    </li>
  );
}

export function PublicWorkspacePage({ data }: { data: PublicWorkspaceData }) {
  const { workspace, spaces, threads, page, hasNext } = data;
  const address = pathTo('public_workspace', { workspace_slug: workspace.slug });
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-12 pb-20 sm:px-6 sm:pt-16">
      <h1 className="font-serif text-title wrap-anywhere">{workspace.name}</h1>
      {workspace.description && (
        <p className="mt-3 max-w-2xl text-base wrap-anywhere text-ink-muted">{workspace.description}</p>
      )}
      {spaces.length > 0 && (
        <section aria-labelledby="spaces" className="mt-12">
          <h2 id="spaces" className="font-serif text-name">
            Spaces
          </h2>
          <ul className="mt-5 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
            {spaces.map((space) => (
              <li key={space.id} className="flex">
                <PublicSpaceCard space={space} className="flex-1" />
              </li>
            ))}
          </ul>
        </section>
      )}
      {threads.length > 0 && (
        <section aria-labelledby="threads" className="mt-12">
          <h2 id="threads" className="font-serif text-name">
            Threads
          </h2>
          <ul className="mt-3 max-w-3xl border-t border-line">
            {threads.map((thread) => (
              <ThreadRow key={thread.id} thread={thread} />
            ))}
          </ul>
        </section>
      )}
      <PageLinks
        page={page}
        hasNext={hasNext}
        hrefOf={(number) => (number === 1 ? address : `${address}?page=${number}`)}
      />
    </div>
  );
}

/**
 * What the settings pages share: the bar, the way between them, and a column for what stands on the page.
 * A page that the person may not see is left out of the way, and its address answers not found. Until it is known what
 * they may see, a skeleton stands in for both.
 */
import { clsx } from 'clsx';
import { useEffect, useRef, type ReactNode } from 'react';
import { NavLink } from 'react-router';
import { pathTo, type PageName } from '#shared/pages.ts';
import type { Action } from '#shared/permissions.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { MissingPage } from '#client/shell/missing-page.tsx';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';
import { useCan, useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';

/** The pages in their order, with what each asks for. */
const PLACES = [
  { page: 'settings', label: 'General', action: 'workspace.read' },
  { page: 'settings_account', label: 'Account' },
  { page: 'settings_notifications', label: 'Notifications' },
  { page: 'settings_members', label: 'Members', action: 'workspace.read' },
  { page: 'settings_shares', label: 'Shares' },
  { page: 'settings_feeds', label: 'Feeds', action: 'feed.create' },
  { page: 'settings_api_keys', label: 'API keys', action: 'api_key.create' },
  { page: 'settings_apps', label: 'Apps', action: 'oauth.authorize' },
  { page: 'settings_webhooks', label: 'Webhooks', action: 'webhook.manage' },
  { page: 'settings_audit', label: 'Audit log', action: 'audit.read' },
  { page: 'settings_usage', label: 'Usage', action: 'usage.read' },
] as const satisfies readonly { page: PageName; label: string; action?: Action }[];

function Tabs({ title }: { title: string }) {
  const params = { workspace_slug: useWorkspaceSlug() };
  const can = useCan();
  const isKnown = can('workspace.read') !== undefined;
  // On a phone the links are wider than the window: the present one is brought into sight.
  const links = useRef<HTMLElement>(null);
  useEffect(() => {
    const nav = links.current;
    const present = nav?.querySelector('[aria-current=page]');
    if (!nav || !present) return;
    const [outer, inner] = [nav.getBoundingClientRect(), present.getBoundingClientRect()];
    nav.scrollBy({ left: inner.left + inner.width / 2 - (outer.left + outer.width / 2) });
  }, [title, isKnown]);
  if (!isKnown) {
    return (
      <SkeletonGroup label="Opening the workspace">
        <div className="column flex h-9 items-center gap-5 pointer-coarse:h-11">
          {['a', 'b', 'c', 'd', 'e'].map((key) => (
            <Skeleton key={key} className="h-3.5 w-16" />
          ))}
        </div>
      </SkeletonGroup>
    );
  }
  return (
    <nav ref={links} aria-label="Settings" className="column flex gap-5 overflow-x-auto">
      {PLACES.map(
        (place) =>
          (!('action' in place) || can(place.action)) && (
            <NavLink
              key={place.page}
              to={pathTo(place.page, params)}
              end={place.page === 'settings'}
              className={clsx(
                '-mb-px flex h-9 shrink-0 items-center border-b-2 border-transparent text-sm font-medium text-ink-muted hover:text-ink pointer-coarse:h-11',
                'focus-visible:outline-offset-[-2px] aria-[current=page]:border-primary aria-[current=page]:text-ink',
              )}
            >
              {place.label}
            </NavLink>
          ),
      )}
    </nav>
  );
}

/** The column with the links above; `title` is the page's own name. */
export function SettingsFrame({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <>
      <PageBar title={title} below={<Tabs title={title} />} />
      <div className="column flex flex-col gap-8 pt-6 pb-28 *:max-w-2xl md:pb-16">{children}</div>
    </>
  );
}

/** A page of settings of the workspace, not found for those who may not do this. */
export function WorkspaceSettings(props: {
  title: string;
  action: Action;
  children: (workspace: Workspace) => ReactNode;
}) {
  const workspace = useWorkspace();
  const may = useCan()(props.action);
  if (may === false) return <MissingPage />;
  return (
    <SettingsFrame title={props.title}>
      {may && workspace ? props.children(workspace) : <FirstSyncNotice />}
    </SettingsFrame>
  );
}

/** One subject of a settings page under its heading. */
export function SettingsSection({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="flex flex-col gap-4 border-b border-line pb-8 last:border-0">
      <div>
        <h2 className="font-serif text-name">{title}</h2>
        {lead !== undefined && <p className="mt-1 text-ink-muted">{lead}</p>}
      </div>
      {children}
    </section>
  );
}

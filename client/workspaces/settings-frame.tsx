/**
 * What the settings pages share: the bar, the way between them, and a column for what stands on the page.
 * A page that the person may not see is left out of the way, and its address answers not found.
 */
import { clsx } from 'clsx';
import { useEffect, useRef, type ReactNode } from 'react';
import { NavLink } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';

/** The column with the links above; `title` is the page's own name. */
export function SettingsFrame({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  const params = { workspace_slug: useWorkspaceSlug() };
  const can = useCan();
  const places = [
    ...(can('workspace.read') ? [{ to: pathTo('settings', params), label: 'General' }] : []),
    { to: pathTo('settings_account', params), label: 'Account' },
    { to: pathTo('settings_notifications', params), label: 'Notifications' },
    ...(can('workspace.read') ? [{ to: pathTo('settings_members', params), label: 'Members' }] : []),
    { to: pathTo('settings_shares', params), label: 'Shares' },
    ...(can('feed.create') ? [{ to: pathTo('settings_feeds', params), label: 'Feeds' }] : []),
    ...(can('api_key.create') ? [{ to: pathTo('settings_api_keys', params), label: 'API keys' }] : []),
    ...(can('oauth.authorize') ? [{ to: pathTo('settings_apps', params), label: 'Apps' }] : []),
    ...(can('webhook.manage') ? [{ to: pathTo('settings_webhooks', params), label: 'Webhooks' }] : []),
    ...(can('audit.read') ? [{ to: pathTo('settings_audit', params), label: 'Audit log' }] : []),
    ...(can('usage.read') ? [{ to: pathTo('settings_usage', params), label: 'Usage' }] : []),
  ];
  // On a phone the links are wider than the window: the present one is brought into sight.
  const links = useRef<HTMLElement>(null);
  useEffect(() => {
    const nav = links.current;
    const present = nav?.querySelector('[aria-current=page]');
    if (!nav || !present) return;
    const [outer, inner] = [nav.getBoundingClientRect(), present.getBoundingClientRect()];
    nav.scrollBy({ left: inner.left + inner.width / 2 - (outer.left + outer.width / 2) });
  }, [title, places.length]);
  return (
    <>
      <PageBar
        title={title}
        below={
          <nav ref={links} aria-label="Settings" className="flex gap-5 overflow-x-auto px-3 sm:px-5">
            {places.map(({ to, label }) => (
              <NavLink
                key={to}
                to={to}
                end={label === 'General'}
                className={clsx(
                  '-mb-px flex h-9 shrink-0 items-center border-b-2 border-transparent text-sm font-medium text-ink-muted hover:text-ink pointer-coarse:h-11',
                  'focus-visible:outline-offset-[-2px] aria-[current=page]:border-primary aria-[current=page]:text-ink',
                )}
              >
                {label}
              </NavLink>
            ))}
          </nav>
        }
      />
      <div className="mx-auto flex w-full max-w-2xl flex-col gap-8 px-3 pt-6 pb-28 sm:px-5 md:pb-16">
        {children}
      </div>
    </>
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
        <h2 className="text-sm font-semibold">{title}</h2>
        {lead !== undefined && <p className="mt-1 text-ink-muted">{lead}</p>}
      </div>
      {children}
    </section>
  );
}

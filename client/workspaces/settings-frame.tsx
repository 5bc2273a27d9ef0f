/**
 * Frame of the settings pages: the bar, the navigation, and a column for the content. A page without permission is left out of
 * the navigation, and its address shows not found. A skeleton replaces both until the permissions are known.
 */
import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { pathTo, type PageName } from '#shared/pages.ts';
import type { Action } from '#shared/permissions.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { MissingPage } from '#client/shell/missing-page.tsx';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { Button } from '#client/ui/button.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';
import { useCan, useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';

interface Place {
  page: Extract<PageName, `settings${string}`>;
  label: string;
  /** Action that the person must be allowed to perform to see the page. */
  action?: Action;
}

/** The pages in their order: one's own, then those of the workspace. */
const GROUPS: readonly { name: string; places: readonly Place[] }[] = [
  {
    name: 'You',
    places: [
      { page: 'settings_account', label: 'Account' },
      { page: 'settings_notifications', label: 'Notifications' },
      { page: 'settings_keyboard', label: 'Keyboard' },
      { page: 'settings_apps', label: 'Apps', action: 'oauth.authorize' },
      { page: 'settings_api_keys', label: 'API keys', action: 'api_key.create' },
    ],
  },
  {
    name: 'Workspace',
    places: [
      { page: 'settings', label: 'General', action: 'workspace.read' },
      { page: 'settings_members', label: 'Members', action: 'workspace.read' },
      { page: 'settings_shares', label: 'Shares' },
      { page: 'settings_import', label: 'Import and export', action: 'workspace.read' },
      { page: 'settings_usage', label: 'Usage', action: 'usage.read' },
      { page: 'settings_audit', label: 'Audit log', action: 'audit.read' },
      { page: 'settings_webhooks', label: 'Developers', action: 'webhook.manage' },
    ],
  },
];

/** The pages that a person may see, or undefined while that is not known. */
function usePlaces(): { name: string; links: { label: string; to: string; end: boolean }[] }[] | undefined {
  const params = { workspace_slug: useWorkspaceSlug() };
  const can = useCan();
  if (can('workspace.read') === undefined) return undefined;
  return GROUPS.map(({ name, places }) => ({
    name,
    links: places
      .filter(({ action }) => action === undefined || can(action))
      .map(({ page, label }) => ({ label, to: pathTo(page, params), end: page === 'settings' })),
  }));
}

/** The other pages: beside the page, or in a menu above it where there is no room. */
function Way() {
  const groups = usePlaces();
  if (!groups) {
    return (
      <SkeletonGroup label="Opening the workspace">
        <div className="flex h-10 items-center gap-5 lg:h-auto lg:flex-col lg:items-start lg:py-3 pointer-coarse:h-13">
          {['a', 'b', 'c', 'd', 'e'].map((key) => (
            <Skeleton key={key} className="h-3.5 w-16 max-lg:not-first:hidden" />
          ))}
        </div>
      </SkeletonGroup>
    );
  }
  return (
    <>
      <div className="pt-2 lg:hidden">
        <DropdownMenu
          align="start"
          trigger={
            <Button variant="secondary" className="w-full sm:w-auto">
              All settings
              <ChevronDown />
            </Button>
          }
          entries={groups.flatMap(({ name, links }) => [
            { kind: 'heading', label: name },
            ...links.map(({ label, to }) => ({ kind: 'link' as const, label, to })),
          ])}
        />
      </div>
      <nav aria-label="Settings" className="flex flex-col gap-6 self-start max-lg:hidden lg:sticky lg:top-18">
        {groups.map(({ name, links }) => (
          <div key={name}>
            <p aria-hidden className="px-3 pb-1.5 text-xs font-medium text-ink-faint">
              {name}
            </p>
            <ul aria-label={name} className="flex flex-col gap-0.5">
              {links.map(({ label, to, end }) => (
                <li key={to}>
                  <NavLink to={to} end={end} className={LINK}>
                    {label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </>
  );
}

const LINK = clsx(
  'flex h-8 items-center rounded-control border border-transparent px-3 text-sm font-medium text-ink-muted hover:text-ink',
  'focus-visible:outline-offset-[-2px] aria-[current=page]:border-line aria-[current=page]:bg-sunk aria-[current=page]:text-ink pointer-coarse:h-11',
);

/** The page with the way to the others; `title` is the page's own name. */
export function SettingsFrame({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <>
      <PageBar title={title} />
      <div className="column grid gap-x-12 pb-28 md:pb-16 lg:grid-cols-[10rem_minmax(0,1fr)] lg:pt-4">
        <Way />
        <div className="flex min-w-0 flex-col gap-8 pt-6 *:max-w-2xl lg:pt-2">{children}</div>
      </div>
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
    <section
      aria-label={title}
      // The last one of a loaded list is not the last one of the page.
      className="flex max-w-2xl flex-col gap-4 border-b border-line pb-8 last:border-0 [[data-loaded]:not(:last-child)_&]:border-b"
    >
      <div>
        <h2 className="font-serif text-name">{title}</h2>
        {lead !== undefined && <p className="mt-1 text-ink-muted">{lead}</p>}
      </div>
      {children}
    </section>
  );
}

/**
 * The head of the sidebar: which workspace this is, the others, and the way to a new one.
 * Reads what the device remembers of the person, so it is there before any network.
 */
import { ChevronsUpDown, Plus } from 'lucide-react';
import { clsx } from 'clsx';
import { pathTo } from '#shared/pages.ts';
import { usePerson } from '#client/api/session.ts';
import { sidebarRow } from '#client/shell/sidebar-link.tsx';
import { useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';

/** The name comes from the replica once it is there, since it may have been changed offline. */
export function WorkspaceSwitcher({ collapsed }: { collapsed: boolean }) {
  const slug = useWorkspaceSlug();
  const person = usePerson();
  const row = useWorkspace();
  const workspaces = person?.workspaces ?? [];
  const remembered = workspaces.find((workspace) => workspace.slug === slug);
  const name = row?.name ?? remembered?.name ?? slug;
  return (
    <DropdownMenu
      align="start"
      trigger={
        <button
          type="button"

          className={clsx(sidebarRow(collapsed), 'text-ink!')}
        >
          <Avatar name={name} seed={row?.id ?? remembered?.id ?? slug} size="sm" square />
          <span className="sr-only">Workspace </span>
          <span className={collapsed ? 'sr-only' : 'min-w-0 flex-1 truncate text-start font-semibold'}>
            {name}
          </span>
          {remembered?.isGuest && !collapsed && <Badge>Guest</Badge>}
          <span className="sr-only">, switch</span>
          {!collapsed && <ChevronsUpDown aria-hidden="true" className="size-3.5! text-ink-faint" />}
        </button>
      }
      entries={[
        { kind: 'heading', label: 'Workspaces' },
        ...workspaces.map((workspace) => ({
          kind: 'link' as const,
          label: `${workspace.slug === slug ? `${name} (this one)` : workspace.name}${workspace.isGuest ? ' · Guest' : ''}`,
          icon: <Avatar name={workspace.name} seed={workspace.id} size="xs" square />,
          to: pathTo('workspace_home', { workspace_slug: workspace.slug }),
        })),
        { kind: 'line' },
        { kind: 'link', label: 'Create workspace', icon: <Plus />, to: pathTo('create_workspace', {}) },
      ]}
    />
  );
}

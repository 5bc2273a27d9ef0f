/**
 * Actions and destinations of the palette, as rows with label, icon and keys. Leaves out actions that this person may
 * not run.
 */
import {
  Archive,
  ArrowLeftRight,
  Bell,
  FolderPlus,
  Folders,
  Hash,
  House,
  ChartColumn,
  CircleUser,
  Keyboard,
  KeyRound,
  Library,
  LogOut,
  MessageSquarePlus,
  MessagesSquare,
  Moon,
  PanelLeft,
  Plus,
  RefreshCw,
  Settings,
  Sparkles,
  Trash2,
  Undo2,
  Upload,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { usePerson } from '#client/api/session.ts';
import { useSyncStatus } from '#client/replica/use-sync-status.ts';
import { askLogout } from '#client/shell/logout-request.ts';
import { openImport } from '#client/shell/import-state.ts';
import { toggleColorMode } from '#client/shell/color-mode.ts';
import { setGuideOpen } from '#client/shell/guide-state.ts';
import { openModal } from '#client/shell/modals.ts';
import { keysOf, type ShortcutId } from '#client/shell/shortcut-catalogue.ts';
import { toggleSidebar } from '#client/shell/sidebar-state.ts';
import { canUndo, undoLast } from '#client/shell/undo.ts';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';

/** One row of the palette that is no row of the replica. */
export interface PaletteAction {
  id: string;
  group: 'Actions' | 'Go to';
  label: string;
  icon: ReactNode;
  keys?: string;
  run: () => void;
}

/** All rows for this person, in their order. */
export function usePaletteActions(): readonly PaletteAction[] {
  const navigate = useNavigate();
  const can = useCan();
  const slug = useWorkspaceSlug();
  const params = { workspace_slug: slug };
  const home = pathTo('workspace_home', params);
  const others = (usePerson()?.workspaces ?? []).filter((workspace) => workspace.slug !== slug);
  const { syncNow } = useSyncStatus();
  const act = (id: string, label: string, icon: ReactNode, more: { key?: ShortcutId; run: () => void }) => ({
    id,
    group: 'Actions' as const,
    label,
    icon,
    ...(more.key === undefined ? {} : { keys: keysOf(more.key) }),
    run: more.run,
  });
  const go = (key: ShortcutId | undefined, label: string, icon: ReactNode, to: string): PaletteAction => ({
    id: `go:${to}`,
    group: 'Go to',
    label,
    icon,
    ...(key === undefined ? {} : { keys: keysOf(key) }),
    run: () => void navigate(to),
  });
  return [
    ...(can('memory.create')
      ? [
          act('save', 'Save a memory', <Plus />, {
            key: 'memory.capture',
            run: () => openModal('createMemory', {}),
          }),
          act('import', 'Import notes and bookmarks', <Upload />, { run: () => openImport() }),
        ]
      : []),
    ...(can('space.create')
      ? [act('space', 'New space', <FolderPlus />, { run: () => openModal('createSpace', {}) })]
      : []),
    ...(can('thread.create')
      ? [
          act('thread', 'New thread', <MessageSquarePlus />, {
            key: 'thread.create',
            run: () => openModal('createThread', {}),
          }),
        ]
      : []),
    ...(canUndo() ? [act('undo', 'Undo', <Undo2 />, { key: 'undo.last', run: undoLast })] : []),
    act('notifications', 'Notifications', <Bell />, {
      key: 'notifications.toggle',
      run: () => openModal('notifications', {}),
    }),
    act('sync', 'Sync now', <RefreshCw />, { run: syncNow }),
    act('sidebar', 'Show or hide the sidebar', <PanelLeft />, { key: 'sidebar.toggle', run: toggleSidebar }),
    act('mode', 'Light or dark', <Moon />, { key: 'color-mode.toggle', run: toggleColorMode }),
    act('guide', 'Keyboard shortcuts', <Keyboard />, { key: 'guide.open', run: () => setGuideOpen(true) }),
    act('logout', 'Log out', <LogOut />, { run: askLogout }),
    go('go.home', 'Home', <House />, home),
    go('go.capsule', 'Capsule', <Sparkles />, pathTo('capsule', params)),
    go('go.spaces', 'Spaces', <Folders />, pathTo('spaces', params)),
    go('go.threads', 'Threads', <MessagesSquare />, pathTo('threads', params)),
    go(undefined, 'Tags', <Hash />, pathTo('tags', params)),
    go(undefined, 'Archive', <Archive />, `${home}?view=archived`),
    go(undefined, 'Recently deleted memories', <Trash2 />, `${home}?view=deleted`),
    go(undefined, 'Recently deleted threads', <Trash2 />, `${pathTo('threads', params)}?view=deleted`),
    go('go.settings', 'Settings', <Settings />, pathTo('settings', params)),
    go(undefined, 'Settings: Account', <CircleUser />, pathTo('settings_account', params)),
    go(undefined, 'Settings: Members', <Users />, pathTo('settings_members', params)),
    ...(can('api_key.create')
      ? [go(undefined, 'Settings: API keys', <KeyRound />, pathTo('settings_api_keys', params))]
      : []),
    ...(can('usage.read')
      ? [go(undefined, 'Settings: Usage', <ChartColumn />, pathTo('settings_usage', params))]
      : []),
    go(undefined, 'Documentation', <Library />, pathTo('docs', {})),
    ...others.map((workspace) =>
      go(
        undefined,
        `Workspace ${workspace.name}`,
        <ArrowLeftRight />,
        pathTo('workspace_home', { workspace_slug: workspace.slug }),
      ),
    ),
  ];
}

/**
 * The layout of everything inside a workspace: opens its replica, then sidebar, page, bottom bar and the modals shown over any
 * page. Renders from the data on the device and calls the network afterwards.
 */
import { Bell, Home, MessagesSquare, Search, Settings, Sparkles } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { LogoutQuestion } from '#client/accounts/logout-dialog.tsx';
import { ImpersonationBanner } from '#client/accounts/impersonation-banner.tsx';
import { UserMenu } from '#client/accounts/user-menu.tsx';
import {
  currentPerson,
  endSession,
  isImpersonating,
  rememberWorkspace,
  refreshPerson,
  sessionToken,
  usePerson,
  wasJustChecked,
  type Membership,
} from '#client/api/session.ts';
import { registerServiceWorker } from '#client/start/app-update.ts';
import { FileBar, FileLine } from '#client/capture/file-card.tsx';
import { ImportBar, ImportLine } from '#client/capture/import-card.tsx';
import { useFreshAddress, useOpenWorkspace } from '#client/layouts/use-open-workspace.ts';
import { useFiling } from '#client/memories/use-filing.ts';
import { SidebarFilters, useIsFilterShown } from '#client/memories/sidebar-filters.tsx';
import { currentReplica } from '#client/replica/current-replica.ts';
import { firstRowsOf } from '#client/replica/first-rows.ts';
import { openReplica } from '#client/replica/open-replica.ts';
import { ReplicaProvider } from '#client/replica/replica-context.tsx';
import { BottomBar } from '#client/shell/bottom-bar.tsx';
import { announceUpdate } from '#client/shell/build-watch.ts';
import { InstallCard } from '#client/shell/install-card.tsx';
import { watchInstall } from '#client/shell/install.ts';
import { openModal, toggleNotifications } from '#client/shell/modals.ts';
import { openPalette, togglePalette } from '#client/shell/palette-state.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { RecoveryNotice } from '#client/shell/recovery-notice.tsx';
import { ShellFrame } from '#client/shell/shell-frame.tsx';
import { SidebarButton, SidebarLink } from '#client/shell/sidebar-link.tsx';
import { Sidebar, type SidebarSlots } from '#client/shell/sidebar.tsx';
import { SyncIndicator } from '#client/shell/sync-indicator.tsx';
import { clearUndo } from '#client/shell/undo.ts';
import { useUnseenCount } from '#client/notifications/queries.ts';
import { useAppBadge } from '#client/notifications/use-app-badge.ts';
import { useRevoked } from '#client/replica/use-sync-status.ts';
import { TaskBars } from '#client/shell/task-line.tsx';
import { recordSnapshots } from '#client/start/record-snapshots.ts';
import { whenScreenReady, whenScreenReadyOrUsed } from '#client/start/screen-ready.ts';
import { removeSnapshots } from '#client/start/snapshot-store.ts';
import { preloadMarkdown } from '#client/ui/lazy-markdown.tsx';
import { lazyPart } from '#client/ui/lazy-part.tsx';
import { PopLayer, PopLayerEnd } from '#client/ui/pop-layer.tsx';
import { SidebarSpaces } from '#client/spaces/sidebar-spaces.tsx';
import { GuestNotice } from '#client/workspaces/guest-notice.tsx';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { WorkspaceSwitcher } from '#client/workspaces/workspace-switcher.tsx';
import { useShortcut } from '#client/shell/use-shortcut.ts';

// Part of this file's code, because it is needed when no file can be fetched.
export { waitForPage } from '#client/shell/page-trouble.tsx';

/** After the first paint or on the first interaction. Their stores record keys pressed before that, which they handle once loaded. */
const LazyModals = lazyPart('dialogs', async () => {
  await whenScreenReadyOrUsed();
  const { DashboardModals } = await import('#client/layouts/dashboard-modals.tsx');
  const idle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1_000));
  idle(() => void preloadMarkdown());
  return DashboardModals;
});

/** With the dialogs, so that it is on the device when access ends. */
const LazyAccessEnded = lazyPart(
  'this page',
  async () => (await import('#client/layouts/dashboard-modals.tsx')).AccessEndedPage,
);

const PLACES = [
  { page: 'workspace_home', label: 'Home', Icon: Home, keys: 'go.home' },
  { page: 'capsule', label: 'Capsule', Icon: Sparkles, keys: 'go.capsule' },
  { page: 'threads', label: 'Threads', Icon: MessagesSquare, keys: 'go.threads' },
] as const;

function Places({ collapsed }: { collapsed: boolean }) {
  const params = { workspace_slug: useWorkspaceSlug() };
  const file = useFiling();
  const isFilterShown = useIsFilterShown();
  return (
    <>
      <ul className="flex flex-col gap-0.5">
        <li>
          <SidebarButton
            label="Search"
            icon={<Search aria-hidden="true" />}
            collapsed={collapsed}
            keys={keysOf('palette.open')}
            showKeys
            onClick={() => openPalette()}
          />
        </li>
        {PLACES.map(({ page, label, Icon, keys }) => (
          <li key={page}>
            <SidebarLink
              to={pathTo(page, params)}
              end={page === 'workspace_home'}
              isElsewhere={page === 'workspace_home' && isFilterShown}
              label={label}
              icon={<Icon aria-hidden="true" />}
              collapsed={collapsed}
              keys={keysOf(keys)}
            />
          </li>
        ))}
      </ul>
      <SidebarFilters collapsed={collapsed} />
      <SidebarSpaces collapsed={collapsed} onFile={(ids, space) => file(ids, space, { on: true })} />
      {!collapsed && <InstallCard />}
    </>
  );
}

function Foot({ collapsed }: { collapsed: boolean }) {
  const slug = useWorkspaceSlug();
  const isMember = useCan()('workspace.read');
  const unseen = useUnseenCount();
  return (
    <>
      <SidebarButton
        label={collapsed && unseen > 0 ? `Notifications (${unseen})` : 'Notifications'}
        after={unseen > 0 && <span className="text-xs font-normal tabular-nums">{unseen}</span>}
        icon={<Bell aria-hidden="true" />}
        collapsed={collapsed}
        keys={keysOf('notifications.toggle')}
        onClick={toggleNotifications}
      />
      <SidebarLink
        to={pathTo(isMember === false ? 'settings_account' : 'settings', { workspace_slug: slug })}
        label="Settings"
        icon={<Settings aria-hidden="true" />}
        collapsed={collapsed}
        keys={keysOf('go.settings')}
      />
      <UserMenu collapsed={collapsed} />
      <ImportLine collapsed={collapsed} />
      <FileLine collapsed={collapsed} />
      <SyncIndicator collapsed={collapsed} />
    </>
  );
}

const SLOTS: SidebarSlots = {
  top: (collapsed) => <WorkspaceSwitcher collapsed={collapsed} />,
  middle: (collapsed) => <Places collapsed={collapsed} />,
  foot: (collapsed) => <Foot collapsed={collapsed} />,
};

/** No data of another person may be stored. */
function recordOwnScreens(): (() => void) | undefined {
  const token = sessionToken();
  if (token === undefined || isImpersonating()) return undefined;
  const rowsOf = (memoryIds: readonly string[]) => {
    const replica = currentReplica();
    return replica ? firstRowsOf(replica, memoryIds) : null;
  };
  return recordSnapshots({ token, rowsOf });
}

/** Everything that needs the replica; the layout without the session around it. */
export function DashboardFrame() {
  const slug = useWorkspaceSlug();
  const params = { workspace_slug: slug };
  const can = useCan();
  useFreshAddress();
  useAppBadge();
  useEffect(watchInstall, []);
  // After a log-in on this page; for everyone else the start of the application has done it.
  useEffect(() => void whenScreenReady().then(() => registerServiceWorker(announceUpdate)), []);
  useEffect(recordOwnScreens, []);
  useShortcut('palette.open', togglePalette, { inDialog: true });
  useShortcut('search.open', () => openPalette());
  return (
    <ShellFrame slug={slug}>
      <ImpersonationBanner />
      <PopLayer>
        <div data-snapshot className="flex min-h-dvh">
          <Sidebar slots={SLOTS} />
          <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
            <RecoveryNotice />
            <GuestNotice />
            <Outlet />
            <PopLayerEnd />
          </main>
        </div>
        <BottomBar
          home={pathTo('workspace_home', params)}
          spaces={pathTo('spaces', params)}
          threads={pathTo('threads', params)}
          mayCapture={can('memory.create')}
          onCapture={() => openModal('createMemory', {})}
          onSearch={() => openPalette()}
        />
        <TaskBars>
          <ImportBar />
          <FileBar />
        </TaskBars>
        <LogoutQuestion />
        <LazyModals />
      </PopLayer>
    </ShellFrame>
  );
}

/** The end of access may reach the replica first, or the list of the person's workspaces. */
function OpenedWorkspace({ workspace, isLost }: { workspace: Membership; isLost: boolean }) {
  const isRevoked = useRevoked();
  const hasEnded = isLost || isRevoked;
  useEffect(() => {
    if (hasEnded) void removeSnapshots();
  }, [hasEnded]);
  return hasEnded ? <LazyAccessEnded workspace={workspace} /> : <DashboardFrame />;
}

/** The guard has allowed the page; the person and the workspace are known on this device. */
export function DashboardLayout() {
  const slug = useWorkspaceSlug();
  const { pathname, search, hash } = useLocation();
  const { workspace, movedTo, isLost } = useOpenWorkspace();
  const workspaceId = workspace?.id;
  const userId = usePerson()?.user.id;
  const opened = useMemo(() => {
    const token = sessionToken();
    if (userId === undefined || token === undefined) return undefined;
    return openReplica({
      userId,
      token,
      memoryOnly: isImpersonating(),
      onUnauthorized: () => endSession(token),
    });
  }, [userId]);
  useEffect(() => {
    if (userId === undefined) return;
    // Offline the device's own copy is trusted; a 401 has its own way out.
    const refreshing = whenScreenReady().then(async () => {
      const person = currentPerson();
      // Not needed directly after a log-in, which has just requested the same.
      if (!person || !wasJustChecked(person)) await refreshPerson();
    });
    refreshing.catch((error: unknown) => console.info('Could not refresh your profile', error));
  }, [userId]);
  useEffect(() => {
    if (workspaceId !== undefined) rememberWorkspace(workspaceId);
    return clearUndo;
  }, [workspaceId]);
  if (movedTo !== undefined)
    return <Navigate to={`/${movedTo}${pathname.slice(slug.length + 1)}${search}${hash}`} replace />;
  if (!opened || workspace === undefined)
    return <div aria-busy="true" className="min-h-dvh" data-path={pathname} />;
  return (
    <ReplicaProvider replica={opened.replica} workspaceId={workspace.id}>
      <OpenedWorkspace workspace={workspace} isLost={isLost} />
    </ReplicaProvider>
  );
}

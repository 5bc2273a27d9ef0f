/** The modals of the features, each of which reads its own open state. Loaded by dashboard.tsx after its first paint. */
import { useEffect } from 'react';
import type { Membership } from '#client/api/session.ts';
import { takeFirstSearch } from '#client/start/first-search.ts';
import { openPalette } from '#client/shell/palette-state.ts';
import { Logo } from '#client/shell/logo.tsx';
import { AccessEnded } from '#client/workspaces/access-ended.tsx';
import { CaptureDrop } from '#client/capture/capture-drop.tsx';
import { FileQueueCard } from '#client/capture/file-queue-card.tsx';
import { FileSheet } from '#client/capture/file-sheet.tsx';
import { CaptureModal } from '#client/capture/capture-modal.tsx';
import { MemoryModal } from '#client/memories/memory-modal.tsx';
import { OrganizeModals } from '#client/memories/organize-modals.tsx';
import { ImportModal } from '#client/capture/import-modal.tsx';
import { NotificationsSheet } from '#client/notifications/notifications-sheet.tsx';
import { Palette } from '#client/palette/palette.tsx';
import { ThreadModals } from '#client/threads/thread-modals.tsx';
import { CreateSpaceModal } from '#client/spaces/create-space-modal.tsx';
import { DeleteSpaceModal } from '#client/spaces/delete-space-modal.tsx';
import { EditSpaceModal } from '#client/spaces/edit-space-modal.tsx';
import { ShareSpaceModal } from '#client/spaces/share-space-modal.tsx';
import { SpaceCoverModal } from '#client/spaces/space-cover-modal.tsx';
import { useCan } from '#client/workspaces/queries.ts';
import { replayEarlyKeys } from '#client/start/early-keys.ts';
import { whenScreenReady } from '#client/start/screen-ready.ts';
import { ShareThreadModal } from '#client/threads/share-thread-modal.tsx';

/** The search that was begun before there was a palette to type into. */
function openFirstSearch(): void {
  const typed = takeFirstSearch();
  if (typed !== undefined) openPalette(typed);
}

/** From here on the dashboard handles every key: those pressed before, and those that tests press once it is shown. */
function begin(): void {
  openFirstSearch();
  void whenScreenReady().then(() => {
    replayEarlyKeys();
    document.querySelector('main')?.setAttribute('data-ready', '');
  });
}

/** Once per dashboard. */
export function DashboardModals() {
  const can = useCan();
  useEffect(begin, []);
  return (
    <>
      <MemoryModal />
      <OrganizeModals />
      <CaptureModal />
      <FileQueueCard />
      <FileSheet />
      <CreateSpaceModal />
      <EditSpaceModal />
      <SpaceCoverModal />
      <DeleteSpaceModal />
      <ThreadModals />
      <Palette />
      <NotificationsSheet />
      {can('memory.create') && <ImportModal />}
      {can('memory.create') && <CaptureDrop />}
      <ShareSpaceModal />
      <ShareThreadModal />
    </>
  );
}

/** Instead of the dashboard, when its workspace is closed to the reader. */
export function AccessEndedPage({ workspace }: { workspace: Membership }) {
  return <AccessEnded workspace={workspace} mark={<Logo />} />;
}

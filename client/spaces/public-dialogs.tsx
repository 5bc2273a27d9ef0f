/** The report and the copy of a space on public pages, which have no React until a visitor asks for one of them. */
import { createRoot } from 'react-dom/client';
import { type ModalArguments, openModal } from '#client/shell/modals.ts';
import { loadWholeStyles } from '#client/shell/whole-styles.ts';
import { ReportModal } from '#client/spaces/report-modal.tsx';
import { SaveSpaceModal } from '#client/spaces/save-space-modal.tsx';
import { saveSpaceStore, type SpaceToSave } from '#client/spaces/save-space-store.ts';

let mounting: Promise<void> | undefined;

async function mount(): Promise<void> {
  await loadWholeStyles();
  const place = document.createElement('div');
  document.body.append(place);
  createRoot(place).render(
    <>
      <ReportModal />
      <SaveSpaceModal />
    </>,
  );
}

/** Opens the report of a public space or thread. */
export async function openReport(subject: ModalArguments['report']): Promise<void> {
  await (mounting ??= mount());
  openModal('report', subject);
}

/** Opens the copy of a public space into a workspace of the visitor. */
export async function openSaveSpace(space: SpaceToSave): Promise<void> {
  await (mounting ??= mount());
  saveSpaceStore.set(space);
}

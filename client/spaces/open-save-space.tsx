/** The copy of a space on public pages, which have no React until a signed-in person asks for it. */
import { createRoot } from 'react-dom/client';
import { loadWholeStyles } from '#client/shell/whole-styles.ts';
import { SaveSpaceModal } from '#client/spaces/save-space-modal.tsx';
import { saveSpaceStore, type SpaceToSave } from '#client/spaces/save-space-store.ts';

let mounting: Promise<void> | undefined;

async function mount(): Promise<void> {
  await loadWholeStyles();
  const place = document.createElement('div');
  document.body.append(place);
  createRoot(place).render(<SaveSpaceModal />);
}

/** Opens the copy of a public space into a workspace of the visitor. */
export async function openSaveSpace(space: SpaceToSave): Promise<void> {
  await (mounting ??= mount());
  saveSpaceStore.set(space);
}

// Which public space a visitor is about to copy. A store of its own, because the button is on a page without the dialog's code.
import { createStore } from '#client/shell/external-store.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';

/** Undefined while the dialog is closed. */
export const saveSpaceStore = createStore<PublicSpace | undefined>(undefined);

/** Which public space a visitor is about to copy; the dialog is open while there is one. */
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { createStore } from '#client/shell/store.ts';

/** What the dialog needs to know of it. */
export type SpaceToSave = Pick<PublicSpace, 'id' | 'name' | 'memoryCount'>;

/** Undefined while the dialog is closed. */
export const saveSpaceStore = createStore<SpaceToSave | undefined>(undefined);

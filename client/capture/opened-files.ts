// Files that the system opens with the installed app ("Open with"): they wait like shared ones until they are saved. Needs the
// launch queue of an installed app; elsewhere it never receives a file.
import { storeSharedItem } from '#client/capture/shared-items.ts';

interface FileHandle {
  getFile: () => Promise<File>;
}

interface LaunchQueue {
  setConsumer: (consumer: (launch: { files?: readonly FileHandle[] }) => void) => void;
}

function isLaunchQueue(value: unknown): value is LaunchQueue {
  return typeof value === 'object' && value !== null && 'setConsumer' in value;
}

/** Stores files that the system opens with the app, and calls back once they are safe on this device. */
export function takeOpenedFiles(onKept: () => void, onFailure: (failure: unknown) => void): void {
  const queue: unknown = Reflect.get(globalThis, 'launchQueue');
  if (!isLaunchQueue(queue)) return;
  queue.setConsumer(({ files: handles = [] }) => {
    Promise.all(handles.map((handle) => handle.getFile()))
      .then(async (files) => {
        const item = { title: '', text: '', url: '', receivedAt: Date.now() };
        if (files.length > 0) await storeSharedItem({ ...item, files });
      })
      .then(onKept, onFailure);
  });
}

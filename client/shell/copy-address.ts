/**
 * Copies an address to the clipboard and shows whether that worked.
 */
import { showToast } from '#client/shell/toasts.ts';

/** `path` may be a path of this site or a full address. */
export async function copyAddress(path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(path, location.origin).href);
    showToast({ title: 'Link copied', kind: 'success' });
  } catch {
    showToast({
      title: 'Could not copy',
      description: 'Clipboard access was denied.',
      kind: 'warning',
    });
  }
}

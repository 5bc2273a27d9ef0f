/**
 * Puts an address on the clipboard and says whether that worked.
 * What the address leads to is the caller's.
 */
import { showToast } from '#client/shell/toasts.ts';

/** `path` may be a path of this site or a full address. */
export async function copyAddress(path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(path, location.origin).href);
    showToast({ title: 'Link copied', kind: 'success' });
  } catch {
    showToast({
      title: 'Copying failed',
      description: 'This browser refuses the clipboard here.',
      kind: 'warning',
    });
  }
}

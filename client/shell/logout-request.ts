/**
 * Requests a logout from anywhere: menus and the palette send the request, and the layout that owns the confirmation
 * handles it.
 */
const listeners = new Set<() => void>();

/** Requests a logout; the listener may first confirm the loss of unsent changes. */
export function askLogout(): void {
  for (const listener of listeners) listener();
}

/** Subscribes to logout requests; returns the unsubscribe function. */
export function onLogoutAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

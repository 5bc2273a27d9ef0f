/**
 * The wish to log out, said from anywhere: menus and the palette ask, the layout that owns the question answers.
 * Knows nothing of sessions.
 */
const listeners = new Set<() => void>();

/** Asks for it; whoever listens may first ask back about unsent changes. */
export function askLogout(): void {
  for (const listener of listeners) listener();
}

/** Hears the wish; answers the function that stops listening. */
export function onLogoutAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

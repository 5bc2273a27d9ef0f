// The address that a person wanted to open before signing up led through onboarding. Stored for this tab only.

const KEY = 'loci-return';

/** Remembers a path of this site until onboarding is over. */
export function rememberReturn(path: string): void {
  try {
    sessionStorage.setItem(KEY, path);
  } catch (error) {
    // A browser without storage forgets the wish; the person ends up in the new workspace.
    console.info('The way back could not be kept', error);
  }
}

/** The remembered path, once. */
export function takeReturn(): string | undefined {
  try {
    const path = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return path ?? undefined;
  } catch {
    // Storage is blocked, so nothing was stored either.
    return undefined;
  }
}

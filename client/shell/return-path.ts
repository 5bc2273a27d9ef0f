// The address that a person wanted to open before signing up led through onboarding. Stored for this tab only.
import { readTab, writeTab } from '#client/shell/tab-storage.ts';

const KEY = 'loci-return';

/** Remembers a path of this site until onboarding is over. */
export function rememberReturn(path: string): void {
  // Without storage the path is lost; the person ends up in the new workspace.
  writeTab(KEY, path);
}

/** The remembered path, once. */
export function takeReturn(): string | undefined {
  const path = readTab(KEY);
  writeTab(KEY, undefined);
  return typeof path === 'string' ? path : undefined;
}

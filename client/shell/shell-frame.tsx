/**
 * Shell around the pages of the application: tooltips, keyboard shortcuts and their guide. Toasts, loading bar, skip
 * link and announcer are in the root of every page, public ones included.
 */
import { useEffect, type ReactNode } from 'react';
import { watchShortcuts } from '#client/shell/shortcuts.ts';
import { ShortcutsGuide } from '#client/shell/shortcuts-guide.tsx';
import { useShellShortcuts } from '#client/shell/use-shell-shortcuts.ts';
import { TooltipProvider } from '#client/ui/tooltip.tsx';

/** The shell's own keys. Before the pages, whose keys are registered later and so win over these where they are the same. */
function ShellKeys({ slug }: { slug: string | undefined }) {
  useShellShortcuts(slug);
  return null;
}

/** Inside the router; `slug` is the workspace's, if the page belongs to one. */
export function ShellFrame({ slug, children }: { slug?: string | undefined; children: ReactNode }) {
  useEffect(() => {
    return watchShortcuts();
  }, []);
  return (
    <TooltipProvider>
      <ShellKeys slug={slug} />
      {children}
      <ShortcutsGuide />
    </TooltipProvider>
  );
}

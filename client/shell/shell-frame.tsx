/**
 * Shell around the pages of the application: tooltips, keyboard shortcuts and their guide. Toasts, loading bar, skip
 * link and announcer are in the root of every page, public ones included.
 */
import { useEffect, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { toggleColorMode } from '#client/shell/color-mode.ts';
import { openModal, toggleNotifications } from '#client/shell/modals.ts';
import type { ShortcutId } from '#client/shell/shortcut-catalogue.ts';
import { watchShortcuts } from '#client/shell/shortcuts.ts';
import { ShortcutsGuide } from '#client/shell/shortcuts-guide.tsx';
import { undoLast } from '#client/shell/undo.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';
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

/** Places inside a workspace, by what follows its slug. */
const PLACES = {
  'go.home': '',
  'go.settings': '/settings',
  'go.spaces': '/spaces',
  'go.threads': '/threads',
  'go.capsule': '/capsule',
} as const satisfies Partial<Record<ShortcutId, string>>;

function usePlace(id: keyof typeof PLACES, slug: string | undefined): void {
  const navigate = useNavigate();
  const target = slug === undefined ? '/' : `/${slug}${PLACES[id]}`;
  useShortcut(id, () => void navigate(target), { enabled: slug !== undefined || id === 'go.home' });
}

/**
 * The shortcuts that work on every page of the application. Those of lists and memories are registered by the screens that
 * show them. `slug` is the workspace's; without one only the public home page can be opened.
 */
function useShellShortcuts(slug: string | undefined): void {
  const inside = { enabled: slug !== undefined };
  usePlace('go.home', slug);
  usePlace('go.settings', slug);
  usePlace('go.spaces', slug);
  usePlace('go.threads', slug);
  usePlace('go.capsule', slug);
  useShortcut('notifications.toggle', toggleNotifications, inside);
  useShortcut('memory.capture', () => openModal('createMemory', {}), inside);
  useShortcut('thread.create', () => openModal('createThread', {}), inside);
  useShortcut('undo.last', undoLast, { ...inside, inDialog: true });
  useShortcut('color-mode.toggle', toggleColorMode, { inDialog: true });
}

/**
 * The shortcuts that work on every page of the application: navigation, notifications, undo, colour mode. Those of
 * lists and memories are registered by the screens that show them.
 */
import { useNavigate } from 'react-router';
import { toggleColorMode } from '#client/shell/color-mode.ts';
import { openModal, toggleNotifications } from '#client/shell/modals.ts';
import type { ShortcutId } from '#client/shell/shortcut-catalogue.ts';
import { undoLast } from '#client/shell/undo.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';

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

/** `slug` is the workspace's; without one only the public home page can be opened. */
export function useShellShortcuts(slug: string | undefined): void {
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

/**
 * What the palette can do and where it can go, as rows with words, picture and keys.
 * Leaves out what this person may not do.
 */
import {
  FolderPlus,
  Folders,
  House,
  Keyboard,
  Library,
  MessageSquarePlus,
  MessagesSquare,
  Moon,
  Plus,
  Upload,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { openImport } from '#client/shell/import-state.ts';
import { toggleColorMode } from '#client/shell/color-mode.ts';
import { setGuideOpen } from '#client/shell/guide-state.ts';
import { openModal } from '#client/shell/modals.ts';
import { keysOf, type ShortcutId } from '#client/shell/shortcut-catalogue.ts';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';

/** One row of the palette that is no row of the replica. */
export interface PaletteAction {
  id: string;
  group: 'Actions' | 'Go to';
  label: string;
  icon: ReactNode;
  keys?: string;
  run: () => void;
}

/** All rows for this person, in their order. */
export function usePaletteActions(): readonly PaletteAction[] {
  const navigate = useNavigate();
  const can = useCan();
  const params = { workspace_slug: useWorkspaceSlug() };
  const act = (id: string, label: string, icon: ReactNode, more: { key?: ShortcutId; run: () => void }) => ({
    id,
    group: 'Actions' as const,
    label,
    icon,
    ...(more.key === undefined ? {} : { keys: keysOf(more.key) }),
    run: more.run,
  });
  const go = (key: ShortcutId | undefined, label: string, icon: ReactNode, to: string): PaletteAction => ({
    id: `go:${to}`,
    group: 'Go to',
    label,
    icon,
    ...(key === undefined ? {} : { keys: keysOf(key) }),
    run: () => void navigate(to),
  });
  return [
    ...(can('memory.create')
      ? [
          act('save', 'Save a memory', <Plus />, {
            key: 'memory.capture',
            run: () => openModal('createMemory', {}),
          }),
          act('import', 'Import notes from a zip', <Upload />, { run: () => openImport() }),
        ]
      : []),
    ...(can('space.create')
      ? [act('space', 'New space', <FolderPlus />, { run: () => openModal('createSpace', {}) })]
      : []),
    ...(can('thread.create')
      ? [
          act('thread', 'New thread', <MessageSquarePlus />, {
            key: 'thread.create',
            run: () => openModal('createThread', {}),
          }),
        ]
      : []),
    act('mode', 'Light or dark', <Moon />, { key: 'color-mode.toggle', run: toggleColorMode }),
    act('guide', 'Keyboard shortcuts', <Keyboard />, { key: 'guide.open', run: () => setGuideOpen(true) }),
    go('go.home', 'Home', <House />, pathTo('workspace_home', params)),
    go('go.spaces', 'Spaces', <Folders />, pathTo('spaces', params)),
    go('go.threads', 'Threads', <MessagesSquare />, pathTo('threads', params)),
    go(undefined, 'Documentation', <Library />, pathTo('docs', {})),
  ];
}

/**
 * Every keyboard shortcut of the product with its keys and label: the guide, hints and tooltips read only this table.
 * Handlers are registered by screens with useShortcut while they are mounted.
 */

interface ShortcutRow {
  /** tinykeys syntax; the first is shown, the others work too. */
  readonly keys: readonly [string, ...string[]];
  readonly label: string;
  readonly group: 'Everywhere' | 'Go to' | 'Lists' | 'Memory' | 'Writing';
  /** Also while a text field has the focus; mod combinations do so unless this is false. */
  readonly whileTyping?: boolean;
  /** Also while the key is held down. */
  readonly repeat?: boolean;
}

/** Id → keys, words and group; the first three are fixed: they are promised to readers of the site. */
export const SHORTCUTS = {
  'go.home': { keys: ['g h'], label: 'Go home', group: 'Go to' },
  'go.settings': { keys: ['g s'], label: 'Workspace settings', group: 'Go to' },
  'notifications.toggle': { keys: ['n'], label: 'Notifications', group: 'Everywhere' },

  'go.spaces': { keys: ['g p'], label: 'Spaces', group: 'Go to' },
  'go.threads': { keys: ['g t'], label: 'Threads', group: 'Go to' },
  'go.capsule': { keys: ['g c'], label: 'Capsule', group: 'Go to' },

  'palette.open': { keys: ['$mod+k'], label: 'Search and commands', group: 'Everywhere' },
  'search.open': { keys: ['[Shift]+/'], label: 'Search', group: 'Everywhere' },
  'memory.capture': { keys: ['c'], label: 'Save a memory', group: 'Everywhere' },
  'thread.create': { keys: ['t'], label: 'New thread', group: 'Everywhere' },
  'undo.last': { keys: ['$mod+z'], label: 'Undo', group: 'Everywhere', whileTyping: false },
  'guide.open': { keys: ['[Shift]+[Alt]+?'], label: 'Keyboard shortcuts', group: 'Everywhere' },
  'sidebar.toggle': { keys: ['$mod+.'], label: 'Show or hide the sidebar', group: 'Everywhere' },
  'pane.start': { keys: ['[Shift]+[Alt]+['], label: 'Collapse the left pane', group: 'Everywhere' },
  'pane.end': { keys: ['[Shift]+[Alt]+]'], label: 'Collapse the right pane', group: 'Everywhere' },
  'color-mode.toggle': { keys: ['$mod+Shift+l'], label: 'Light or dark', group: 'Everywhere' },

  'list.next': { keys: ['j'], label: 'Next', group: 'Lists', repeat: true },
  'list.previous': { keys: ['k'], label: 'Previous', group: 'Lists', repeat: true },
  'list.open': { keys: ['Enter', 'o'], label: 'Open', group: 'Lists' },
  'reading.down': { keys: ['Space'], label: 'Read on, in the reading pane', group: 'Lists', repeat: true },
  'reading.up': { keys: ['Shift+Space'], label: 'Read back', group: 'Lists', repeat: true },
  'list.select': { keys: ['x'], label: 'Select', group: 'Lists' },
  'list.select-range': { keys: ['Shift+x'], label: 'Select up to here', group: 'Lists' },
  'list.extend-next': {
    keys: ['Shift+j'],
    label: 'Select and go to the next',
    group: 'Lists',
    repeat: true,
  },
  'list.extend-previous': {
    keys: ['Shift+k'],
    label: 'Select and go to the previous',
    group: 'Lists',
    repeat: true,
  },
  'list.layout': { keys: ['v'], label: 'Next layout', group: 'Lists' },
  'space.up': {
    keys: ['Alt+ArrowUp'],
    label: 'Move the space up',
    group: 'Lists',
    repeat: true,
  },
  'space.down': {
    keys: ['Alt+ArrowDown'],
    label: 'Move the space down',
    group: 'Lists',
    repeat: true,
  },
  'list.clear': { keys: ['Escape'], label: 'Clear the selection', group: 'Lists' },

  'memory.edit': { keys: ['e'], label: 'Edit', group: 'Memory' },
  'memory.move': { keys: ['m'], label: 'Add to a space', group: 'Memory' },
  'memory.home': { keys: ['Shift+m'], label: 'Move to a space', group: 'Memory' },
  'memory.tags': { keys: ['l'], label: 'Tags', group: 'Memory' },
  'memory.highlight': { keys: ['h'], label: 'Highlight the selected text', group: 'Memory' },
  'memory.full': { keys: ['f'], label: 'Full page', group: 'Memory' },
  'memory.archive': { keys: ['a'], label: 'Archive', group: 'Memory' },
  'memory.remove': { keys: ['[Shift]+[Alt]+#'], label: 'Delete', group: 'Memory' },
  'capsule.keep': { keys: ['y'], label: 'Keep, in the capsule', group: 'Memory' },
  'memory.share': { keys: ['s'], label: 'Share', group: 'Memory' },

  'writing.submit': { keys: ['$mod+Enter'], label: 'Save or send', group: 'Writing' },
} as const satisfies Record<string, ShortcutRow>;

export type ShortcutId = keyof typeof SHORTCUTS;

/** The row of an id with its optional columns present in the type. */
export function shortcutRow(id: ShortcutId): ShortcutRow {
  return SHORTCUTS[id];
}

/** The keys to show for an id, in tinykeys syntax. */
export function keysOf(id: ShortcutId): string {
  return SHORTCUTS[id].keys[0];
}

/** All rows in groups, in the order of the table. */
export function shortcutGroups(): Map<string, ShortcutRow[]> {
  const rows: readonly ShortcutRow[] = Object.values(SHORTCUTS);
  return Map.groupBy(rows, (row) => row.group);
}

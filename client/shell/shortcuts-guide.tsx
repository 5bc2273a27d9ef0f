/**
 * The list of all keyboard shortcuts with a search field and the switch for single keys; opened by "?".
 * Reads the table of shortcuts; adds nothing to it.
 */
import { useState } from 'react';
import { setGuideOpen, useGuideOpen } from '#client/shell/guide-state.ts';
import { shortcutGroups } from '#client/shell/shortcut-catalogue.ts';
import { setShortcutsEnabled } from '#client/shell/shortcuts.ts';
import { useShortcutsEnabled } from '#client/shell/use-shortcuts-enabled.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Input } from '#client/ui/input.tsx';
import { Kbd } from '#client/ui/kbd.tsx';
import { Switch } from '#client/ui/switch.tsx';

function Groups({ query }: { query: string }) {
  const wanted = query.trim().toLowerCase();
  const groups = [...shortcutGroups()]
    .map(([name, rows]) => ({ name, rows: rows.filter((row) => row.label.toLowerCase().includes(wanted)) }))
    .filter(({ rows }) => rows.length > 0);
  if (groups.length === 0)
    return <p className="py-8 text-center text-ink-muted">No shortcut with this name.</p>;
  return (
    <div className="gap-x-8 sm:columns-2">
      {groups.map(({ name, rows }) => (
        <section key={name} className="mb-5 break-inside-avoid">
          <h3 className="mb-1 text-xs font-medium text-ink-faint">{name}</h3>
          <dl>
            {rows.map((row) => (
              <div key={row.label} className="flex min-h-8 items-center justify-between gap-4">
                <dt className="truncate">{row.label}</dt>
                <dd>
                  <Kbd keys={row.keys[0]} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** Once in the shell; `?` opens and closes it. */
export function ShortcutsGuide() {
  const open = useGuideOpen();
  const [query, setQuery] = useState('');
  const enabled = useShortcutsEnabled();
  useShortcut('guide.open', () => setGuideOpen(!open), { inDialog: open });
  return (
    <Dialog open={open} onOpenChange={setGuideOpen} title="Keyboard shortcuts" size="lg">
      <Input
        type="search"
        aria-label="Search shortcuts"
        placeholder="Search shortcuts"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        className="mb-4"
      />
      <Groups query={query} />
      <Switch
        label="Single-key shortcuts"
        hint="Turn off if they interfere with speech input or a screen reader. Key combinations keep working."
        checked={enabled}
        onCheckedChange={setShortcutsEnabled}
        className="border-t border-line pt-4"
      />
    </Dialog>
  );
}

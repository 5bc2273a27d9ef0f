/** The list of all keyboard shortcuts by group, with a search field. Reads the table of shortcuts; adds nothing to it. */
import { useState } from 'react';
import { shortcutGroups } from '#client/shell/shortcut-catalogue.ts';
import { Input } from '#client/ui/input.tsx';
import { Kbd } from '#client/ui/kbd.tsx';

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
                  <Kbd keys={row.keys[0]} onTouch />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

export function ShortcutList() {
  const [query, setQuery] = useState('');
  return (
    <div>
      <Input
        type="search"
        aria-label="Search shortcuts"
        placeholder="Search shortcuts"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        className="mb-4"
      />
      <Groups query={query} />
    </div>
  );
}

/**
 * Draws menu entries with the parts of whichever Radix menu holds them.
 * Used by dropdown-menu.tsx and context-menu.tsx only.
 */
import { Check, ChevronRight } from 'lucide-react';
import type { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Kbd } from '#client/ui/kbd.tsx';
import type {
  MenuAction,
  MenuChoice,
  MenuEntry,
  MenuGroup,
  MenuLink,
  MenuSource,
} from '#client/ui/menu-entry.ts';
import { menuLabel, menuLine, menuRow, menuSurface } from '#client/ui/menu-style.ts';
import { usePopLayer } from '#client/ui/pop-layer.tsx';

/** The parts both Radix menus have in common. */
export type MenuParts = Pick<
  typeof DropdownMenu,
  | 'CheckboxItem'
  | 'Item'
  | 'ItemIndicator'
  | 'Label'
  | 'Portal'
  | 'RadioGroup'
  | 'RadioItem'
  | 'Separator'
  | 'Sub'
  | 'SubContent'
  | 'SubTrigger'
>;

function RowText({ label, keys }: { label: string; keys?: string | undefined }) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {keys !== undefined && <Kbd keys={keys} className="ms-4" />}
    </>
  );
}

function ActionRow({ entry, parts }: { entry: MenuAction; parts: MenuParts }) {
  return (
    <parts.Item
      className={menuRow}
      data-tone={entry.tone}
      disabled={entry.disabled ?? false}
      onSelect={() => entry.run()}
    >
      {entry.icon}
      <RowText label={entry.label} keys={entry.keys} />
    </parts.Item>
  );
}

function LinkRow({ entry, parts }: { entry: MenuLink; parts: MenuParts }) {
  return (
    <parts.Item className={menuRow} asChild>
      <Link to={entry.to}>
        {entry.icon}
        <RowText label={entry.label} keys={entry.keys} />
      </Link>
    </parts.Item>
  );
}

function Mark({ parts }: { parts: MenuParts }) {
  return (
    <span className="flex size-4 items-center justify-center">
      <parts.ItemIndicator>
        <Check className="text-primary!" />
      </parts.ItemIndicator>
    </span>
  );
}

function ChoiceRows({ entry, parts }: { entry: MenuChoice; parts: MenuParts }) {
  return (
    <parts.RadioGroup value={entry.value} onValueChange={entry.set} aria-label={entry.label}>
      <parts.Label className={menuLabel}>{entry.label}</parts.Label>
      {entry.options.map((option) => (
        <parts.RadioItem
          key={option.value}
          value={option.value}
          className={menuRow}
          onSelect={(event) => event.preventDefault()}
        >
          <Mark parts={parts} />
          {option.icon}
          <RowText label={option.label} />
        </parts.RadioItem>
      ))}
    </parts.RadioGroup>
  );
}

function SubMenu({ entry, parts }: { entry: MenuGroup; parts: MenuParts }) {
  const layer = usePopLayer();
  return (
    <parts.Sub>
      <parts.SubTrigger className={menuRow}>
        {entry.icon}
        <RowText label={entry.label} />
        <ChevronRight className="rtl:rotate-180" />
      </parts.SubTrigger>
      <parts.Portal container={layer}>
        <parts.SubContent data-surface className={menuSurface} sideOffset={4} collisionPadding={8}>
          <MenuEntries entries={entry.entries} parts={parts} />
        </parts.SubContent>
      </parts.Portal>
    </parts.Sub>
  );
}

function row(entry: Exclude<MenuEntry, false | undefined>, parts: MenuParts): ReactNode {
  switch (entry.kind) {
    case 'link':
      return <LinkRow entry={entry} parts={parts} />;
    case 'check':
      return (
        <parts.CheckboxItem
          className={menuRow}
          checked={entry.checked}
          onCheckedChange={entry.set}
          onSelect={(event) => event.preventDefault()}
        >
          <Mark parts={parts} />
          <RowText label={entry.label} />
        </parts.CheckboxItem>
      );
    case 'choice':
      return <ChoiceRows entry={entry} parts={parts} />;
    case 'sub':
      return <SubMenu entry={entry} parts={parts} />;
    case 'heading':
      return <parts.Label className={menuLabel}>{entry.label}</parts.Label>;
    case 'line':
      return <parts.Separator className={menuLine} />;
    default:
      return <ActionRow entry={entry} parts={parts} />;
  }
}

/** The rows in order; evaluated only while the menu is open. */
export function MenuEntries({ entries, parts }: { entries: MenuSource; parts: MenuParts }) {
  const rows = typeof entries === 'function' ? entries() : entries;
  return rows.map((entry, index) => {
    if (!entry) return null;
    const name = entry.kind === 'line' ? 'line' : entry.label;
    return (
      <div key={`${name}-${index}`} className="contents">
        {row(entry, parts)}
      </div>
    );
  });
}

/**
 * A menu behind an icon button that is only mounted at the first press, because lists have one per item. Looks and
 * behaves like a dropdown menu with the same button.
 */
import { useState, type KeyboardEvent } from 'react';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import type { MenuSource } from '#client/ui/menu-entry.ts';
import { PlainIconButton, type PlainIconButtonProps } from '#client/ui/plain-icon-button.tsx';

interface LateMenuProps {
  button: PlainIconButtonProps;
  entries: MenuSource;
}

const OPENING_KEYS: readonly string[] = ['Enter', ' ', 'ArrowDown'];

/** Opens with the press that mounts it; from then on it is an ordinary menu. */
export function LazyMenu({ button, entries }: LateMenuProps) {
  const [isMounted, setMounted] = useState(false);
  const [open, setOpen] = useState(false);
  if (isMounted) {
    return (
      <DropdownMenu
        open={open}
        onOpenChange={setOpen}
        trigger={<PlainIconButton {...button} />}
        entries={entries}
      />
    );
  }
  const begin = () => {
    setMounted(true);
    setOpen(true);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!OPENING_KEYS.includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    begin();
  };
  return (
    <PlainIconButton
      {...button}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={begin}
      onKeyDown={handleKeyDown}
    />
  );
}

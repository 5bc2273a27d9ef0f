/**
 * A menu that opens from a button. Its entries are data (menu-entry.ts); arrow keys, type-ahead and focus come from
 * Radix.
 */
import { DropdownMenu as Radix } from 'radix-ui';
import { useRef, type ReactNode } from 'react';
import { giveFocusBack } from '#client/ui/give-focus-back.ts';
import { MenuEntries } from '#client/ui/menu-entries.tsx';
import type { MenuSource } from '#client/ui/menu-entry.ts';
import { menuSurface } from '#client/ui/menu-style.ts';
import { usePopLayer } from '#client/ui/pop-layer.tsx';

interface DropdownMenuProps {
  /** The one button that opens it. */
  trigger: ReactNode;
  entries: MenuSource;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** Restores the focus when it closes. Not modal: the page behind stays reachable. */
export function DropdownMenu({
  trigger,
  entries,
  align = 'end',
  side,
  open,
  onOpenChange,
}: DropdownMenuProps) {
  const layer = usePopLayer();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Radix.Root
      modal={false}
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <Radix.Trigger ref={button} asChild>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={layer}>
        <Radix.Content
          data-surface
          align={align}
          {...(side === undefined ? {} : { side })}
          sideOffset={4}
          collisionPadding={8}
          // The button itself opens and closes. A menu that is still closing would treat the press that reopens it as one
          // outside, and close.
          onPointerDownOutside={(event) => {
            if (event.target instanceof Node && button.current?.contains(event.target))
              event.preventDefault();
          }}
          onCloseAutoFocus={giveFocusBack}
          className={menuSurface}
        >
          <MenuEntries entries={entries} parts={Radix} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * A menu that opens from a button.
 * What it offers is data (menu-entry.ts); arrow keys, typing ahead and focus are Radix's.
 */
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
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
  return (
    <Radix.Root
      modal={false}
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={layer}>
        <Radix.Content
          data-surface
          align={align}
          {...(side === undefined ? {} : { side })}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={giveFocusBack}
          className={menuSurface}
        >
          <MenuEntries entries={entries} parts={Radix} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * A menu that opens by right click, long press or the menu key on its child. Never the only way to an action: the
 * item's dropdown menu has the same entries.
 */
import { ContextMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { giveFocusBack } from '#client/ui/give-focus-back.ts';
import { MenuEntries } from '#client/ui/menu-entries.tsx';
import type { MenuSource } from '#client/ui/menu-entry.ts';
import { popSurface } from '#client/ui/menu-style.ts';
import { usePopLayer } from '#client/ui/pop-layer.tsx';

/** Wraps one element without changing its role or keyboard behaviour. */
export function ContextMenu({ entries, children }: { entries: MenuSource; children: ReactNode }) {
  const layer = usePopLayer();
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal container={layer}>
        <Radix.Content
          data-surface
          collisionPadding={8}
          onCloseAutoFocus={giveFocusBack}
          className={`${popSurface} max-h-(--radix-context-menu-content-available-height) max-w-80 min-w-48 overflow-y-auto p-1`}
        >
          <MenuEntries entries={entries} parts={Radix} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

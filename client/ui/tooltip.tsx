/**
 * A short name or explanation beside a control, with its shortcut if it has one.
 * Opens after 700 ms of hovering or at once on keyboard focus; never holds anything to click.
 */
import { Tooltip as Radix } from 'radix-ui';
import { startTransition, useState, type ReactNode } from 'react';
import { TOOLTIP } from '#client/ui/timing.ts';
import { Kbd } from '#client/ui/kbd.tsx';
import { usePopLayer } from '#client/ui/pop-layer.tsx';

/** Once around the application: holds the shared timing, so that the next tooltip opens at once within 300 ms. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={TOOLTIP.delayMs} skipDelayDuration={TOOLTIP.skipDelayMs}>
      {children}
    </Radix.Provider>
  );
}

interface TooltipProps {
  text: ReactNode;
  keys?: string | undefined;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** False where the text repeats the control's own label: then it is not announced twice. */
  describes?: boolean;
  children: ReactNode;
}

/** Wraps exactly one element that can take focus. */
export function Tooltip({ text, keys, side = 'bottom', describes = true, children }: TooltipProps) {
  const layer = usePopLayer();
  const [open, setOpen] = useState(false);
  const handleOpenChange = (next: boolean) => {
    // While the focus moves on, nothing has it for a moment. A node that is removed from a dialog in that moment makes the
    // dialog take the focus itself, so Tab would never come past the control; after the event it is safe.
    if (next) setOpen(true);
    else startTransition(() => setOpen(false));
  };
  return (
    <Radix.Root open={open} onOpenChange={handleOpenChange}>
      <Radix.Trigger asChild {...(describes ? {} : { 'aria-describedby': undefined })}>
        {children}
      </Radix.Trigger>
      <Radix.Portal container={layer}>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 flex max-w-72 items-center gap-2 rounded-control bg-inverse px-2 py-1 text-xs font-medium text-ink-inverse shadow-float data-[state=delayed-open]:animate-fade-in"
        >
          {text}
          {keys !== undefined && <Kbd keys={keys} onDark className="-me-1" />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * The confirmation of something that cannot be undone: the consequences in numbers, and two buttons. Actions that can
 * be undone run at once and offer Undo instead.
 */
import { AlertDialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '#client/ui/button.tsx';
import { DialogFoot, DialogOverlay } from '#client/ui/dialog.tsx';
import { closeOnEscape } from '#client/ui/close-on-escape.ts';
import { PopLayer, PopLayerEnd } from '#client/ui/pop-layer.tsx';
import { useReturnFocus } from '#client/ui/use-return-focus.ts';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The consequence, in numbers: "12 pages lose their folder. None is deleted." */
  children: ReactNode;
  /** A verb with its object, never "OK". */
  confirm: string;
  tone?: 'danger' | 'primary';
  busy?: boolean;
  /** Held back until true, for example while a name is not typed. */
  ready?: boolean;
  onConfirm: () => void;
}

/** Starts with the focus on Cancel; closing after the act is the caller's. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirm,
  tone = 'danger',
  busy = false,
  ready = true,
  onConfirm,
}: ConfirmDialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <DialogOverlay isOpen={open} />
        <Radix.Content
          data-surface
          {...returnFocus}
          {...closeOnEscape(() => onOpenChange(false))}
          className="fixed inset-x-0 bottom-0 z-50 rounded-t-dialog bg-raised shadow-float outline-none data-[state=closed]:animate-rise-out data-[state=open]:animate-rise-in sm:inset-x-4 sm:top-[18vh] sm:bottom-auto sm:mx-auto sm:max-w-md sm:rounded-dialog sm:data-[state=closed]:animate-pop-out sm:data-[state=open]:animate-pop-in"
        >
          <PopLayer>
            <div className="px-5 pt-5 pb-5">
              <Radix.Title className="font-serif text-name">{title}</Radix.Title>
              <Radix.Description asChild>
                <div className="mt-1.5 text-ink-muted">{children}</div>
              </Radix.Description>
            </div>
            <DialogFoot>
              <Radix.Cancel asChild>
                <Button>Cancel</Button>
              </Radix.Cancel>
              <Button variant={tone} loading={busy} disabled={!ready} onClick={onConfirm}>
                {confirm}
              </Button>
            </DialogFoot>
            <PopLayerEnd />
          </PopLayer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

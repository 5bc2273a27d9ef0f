/**
 * A dialog at the end edge of the window for looking something through beside the page; the whole height on phones. For a short
 * task use a dialog.
 */
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { ModalFrame } from '#client/ui/dialog.tsx';
import { closeOnEscape } from '#client/ui/close-on-escape.ts';

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  size?: 'md' | 'lg' | 'full';
  hideTitle?: boolean;
  /** Without own padding, for content that reaches the edges. */
  flush?: boolean;
}

const WIDTHS = { md: 'sm:max-w-md', lg: 'sm:max-w-2xl', full: 'sm:max-w-5xl' } as const;

/** Slides in from the end, on phones from below; swiping is the platform's back gesture or the close button. */
export function Sheet({ size = 'md', flush = false, ...frame }: SheetProps) {
  return (
    <ModalFrame
      {...frame}
      surface={{
        onOpenAutoFocus: (event) => {
          // The sheet itself, not its first button, whose tooltip would cover the content.
          event.preventDefault();
          if (event.target instanceof HTMLElement) event.target.focus();
        },
        ...closeOnEscape(() => frame.onOpenChange(false)),
        className: clsx(
          'fixed inset-0 z-50 flex flex-col bg-raised shadow-float outline-none',
          'pt-[env(safe-area-inset-top)] data-[state=closed]:animate-rise-out data-[state=open]:animate-rise-in',
          'sm:start-auto sm:w-full sm:data-[state=closed]:animate-edge-out sm:data-[state=open]:animate-edge-in',
          WIDTHS[size],
        ),
      }}
      bodyStyle={clsx('min-h-0 flex-1 overflow-y-auto', !flush && 'px-5 pb-5')}
      closeStyle="top-[calc(0.875rem+env(safe-area-inset-top))]"
    />
  );
}

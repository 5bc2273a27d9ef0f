/**
 * A modal dialog for one task: title, optional description, body and a row of actions. Traps the focus, closes on
 * Escape and on a press outside, and restores the focus.
 */
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useLayoutEffect, useState, type ComponentProps, type ReactNode, type Ref } from 'react';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { PopLayer, PopLayerEnd } from '#client/ui/pop-layer.tsx';
import { closeOnEscape } from '#client/ui/close-on-escape.ts';
import { useReturnFocus } from '#client/ui/use-return-focus.ts';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** Buttons at the foot, the main one last. */
  actions?: ReactNode;
  children?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
  /** Hides the title visually, where the content shows its own. */
  hideTitle?: boolean;
  /** Return false to prevent closing, for example while a draft is unsaved. */
  onDismiss?: () => boolean;
}

const WIDTHS = { sm: 'sm:max-w-md', md: 'sm:max-w-lg', lg: 'sm:max-w-2xl' } as const;

interface DialogOverlayProps {
  isOpen: boolean;
  /** From Radix.Portal, which takes the veil away when its animation has ended. */
  ref?: Ref<HTMLDivElement>;
}

/**
 * The veil behind every modal surface, a child of Radix.Portal. styles.css holds the page behind it; Radix.Overlay does that
 * with a style sheet and a variable that all elements inherit, for which a page needs a long task.
 */
export function DialogOverlay({ isOpen, ref }: DialogOverlayProps) {
  // Read before the scrollbar goes, whose width the page keeps so that nothing moves.
  const [scrollbar] = useState(() => innerWidth - document.documentElement.clientWidth);
  useLayoutEffect(() => {
    if (scrollbar === 0) return undefined;
    document.body.style.marginInlineEnd = `${scrollbar}px`;
    return () => {
      document.body.style.marginInlineEnd = '';
    };
  }, [scrollbar]);
  return (
    <div
      ref={ref}
      data-state={isOpen ? 'open' : 'closed'}
      className="fixed inset-0 z-40 bg-overlay data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in"
    />
  );
}

/** Controlled by `open`; on phones it is at the bottom edge within reach of the thumb. */
export function Dialog({ size = 'md', onDismiss, ...frame }: DialogProps) {
  return (
    <ModalFrame
      {...frame}
      surface={{
        ...closeOnEscape(() => {
          if (!onDismiss || onDismiss()) frame.onOpenChange(false);
        }),
        onInteractOutside: (event) => {
          if (onDismiss && !onDismiss()) event.preventDefault();
        },
        className: clsx(
          'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-dialog bg-raised shadow-float outline-none',
          'data-[state=closed]:animate-rise-out data-[state=open]:animate-rise-in',
          'sm:inset-x-4 sm:top-[12vh] sm:bottom-auto sm:mx-auto sm:max-h-[76dvh] sm:rounded-dialog',
          'sm:data-[state=closed]:animate-pop-out sm:data-[state=open]:animate-pop-in',
          WIDTHS[size],
        ),
      }}
      bodyStyle="-mt-1 min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5 has-data-form-foot:scroll-pb-20"
      closeStyle="top-3.5"
    />
  );
}

interface ModalFrameProps extends Omit<DialogProps, 'size' | 'onDismiss'> {
  surface: ComponentProps<typeof Radix.Content>;
  bodyStyle: string;
  /** Place of the close button. */
  closeStyle: string;
}

/** Head, body, actions and close button on a surface of its own; shared with sheets. */
export function ModalFrame({
  open,
  onOpenChange,
  title,
  description,
  actions,
  children,
  hideTitle = false,
  surface,
  bodyStyle,
  closeStyle,
}: ModalFrameProps) {
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <DialogOverlay isOpen={open} />
        <Radix.Content
          data-surface
          {...returnFocus}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          {...surface}
        >
          <PopLayer>
            <div className={clsx('pe-14 ps-5 pt-4', hideTitle ? 'min-h-12' : 'pb-4')}>
              <div className={clsx(hideTitle && 'sr-only')}>
                <Radix.Title className="font-serif text-name">{title}</Radix.Title>
                {description !== undefined && (
                  <Radix.Description className="mt-1 text-ink-muted">{description}</Radix.Description>
                )}
              </div>
            </div>
            <div data-scroll className={bodyStyle}>
              {children}
            </div>
            {actions !== undefined && <DialogFoot>{actions}</DialogFoot>}
            {/* Last in the order, so that the first field has the focus when the dialog opens. */}
            <Radix.Close asChild>
              <PlainIconButton
                label="Close"
                icon={<X />}
                size="sm"
                className={clsx('absolute! end-3.5', closeStyle)}
              />
            </Radix.Close>
            <PopLayerEnd />
          </PopLayer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const FOOT =
  'flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:*:flex-1';

/** The row of actions; on phones the buttons share the width. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={FOOT}>{children}</div>;
}

/** The same row as the last part of a form in the body: in sight while a long form scrolls behind it. */
export function DialogFormFoot({ children }: { children: ReactNode }) {
  return (
    <div data-form-foot className={clsx(FOOT, 'sticky -bottom-5 -mx-5 -mb-5 bg-raised sm:rounded-b-dialog')}>
      {children}
    </div>
  );
}

/**
 * Draws the toasts of the store bottom right; F8 moves the focus to them, hovering or focus stops their clock.
 * The list itself and the removal delay are in toasts.ts.
 */
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { TOAST } from '#client/ui/timing.ts';
import { useStore } from '#client/shell/external-store.ts';
import { closeToast, toastStore, type Toast, type ToastKind } from '#client/shell/toasts.ts';
import { Button } from '#client/ui/button.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';

const MARKS: Readonly<Record<ToastKind, typeof Info>> = {
  neutral: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  error: CircleAlert,
};

const TONES: Readonly<Record<ToastKind, string>> = {
  neutral: 'text-ink-faint',
  success: 'text-primary',
  warning: 'text-warning',
  error: 'text-danger',
};

function ToastCard({ toast }: { toast: Toast }) {
  const Mark = MARKS[toast.kind];
  return (
    <Radix.Root
      data-surface
      data-kind={toast.kind}
      open={toast.open}
      onOpenChange={(open) => {
        if (!open) closeToast(toast.id);
      }}
      className="flex w-full items-start gap-2.5 rounded-card bg-raised p-3 text-sm shadow-float data-[state=closed]:animate-toast-out data-[state=open]:animate-toast-in data-[swipe=end]:animate-toast-swipe data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
    >
      <Mark aria-hidden="true" className={`mt-0.5 size-4.5 shrink-0 ${TONES[toast.kind]}`} />
      <div className="min-w-0 flex-1">
        <Radix.Title className="font-medium break-words">{toast.title}</Radix.Title>
        {toast.description !== undefined && (
          <Radix.Description className="mt-0.5 break-words text-ink-muted">
            {toast.description}
          </Radix.Description>
        )}
      </div>
      {toast.actions.map((action) => (
        <Radix.Action key={action.label} altText={action.label} asChild>
          <Button size="sm" variant="secondary" onClick={action.run} className="-my-0.5">
            {action.label}
          </Button>
        </Radix.Action>
      ))}
      <Radix.Close asChild>
        <PlainIconButton label="Close" icon={<X />} size="xs" />
      </Radix.Close>
    </Radix.Root>
  );
}

/** Once in the application; clear of the bottom bar and of the safe area of phones. */
export function Toaster() {
  const toasts = useStore(toastStore);
  return (
    <Radix.Provider duration={TOAST.closeMs} swipeDirection="right">
      {toasts.map((toast) => (
        <ToastCard key={`${toast.id}-${toast.revision}`} toast={toast} />
      ))}
      <Radix.Viewport
        hotkey={[TOAST.hotkey]}
        className="fixed end-0 bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))] z-70 flex w-full max-w-[26rem] flex-col gap-2 p-4 outline-none"
      />
    </Radix.Provider>
  );
}

// The early-access modal behind Sign in and Sign up of the public header: the form, and a plain link for those who have an account.
import { PRODUCT_NAME } from '#shared/constants.ts';
import { useModal } from '#client/shell/modals.ts';
import { NewsletterForm } from '#client/site/newsletter-form.tsx';
import { Dialog } from '#client/ui/dialog.tsx';

export function EarlyAccessModal() {
  const { open, close, onOpenChange } = useModal('earlyAccess');
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="Get early access"
      description={`${PRODUCT_NAME} opens in small groups. Leave your address and an invite will follow.`}
    >
      <NewsletterForm label="E-mail" action="Request access" onRegistered={close} />
      <p className="mt-2 border-t border-line pt-4 text-sm text-ink-muted">
        <a
          href="/login"
          className="inline-flex min-h-6 items-center font-medium text-primary-text hover:underline pointer-coarse:min-h-11"
        >
          Already have an account? Log in
        </a>
      </p>
    </Dialog>
  );
}

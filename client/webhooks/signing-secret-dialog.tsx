/** The signing secret of a webhook, shown once after it was made. */
import { Button } from '#client/ui/button.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Input } from '#client/ui/input.tsx';

export function SigningSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Signing secret"
      description="The receiver uses it to check that requests come from here, for example with a library for Standard Webhooks."
      // A press beside the dialog must not lose what is shown only once.
      onDismiss={() => false}
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="rounded-control bg-warning-soft px-3 py-2 text-warning">
          Copy the secret now. It will not be shown again.
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <Input
            readOnly
            aria-label="Signing secret"
            value={secret}
            className="min-w-48 flex-1 font-mono text-xs"
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={secret} label="Copy secret" />
        </div>
      </div>
    </Dialog>
  );
}

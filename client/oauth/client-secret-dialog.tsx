/** The identifier and the secret of a client, shown once: the server stores only a hash of the secret. */
import type { Registered } from '#client/oauth/managed-client.ts';
import { Button } from '#client/ui/button.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

export function ClientSecretDialog({ registered, onClose }: { registered: Registered; onClose: () => void }) {
  const { name, id, secret } = registered;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      // A click outside the dialog must not lose a secret that is shown only once.
      onDismiss={() => secret === null}
      title={`Credentials of ${name}`}
      description={
        secret === null
          ? 'The app identifies itself with this client ID.'
          : 'Copy the secret now. It will not be shown again.'
      }
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Shown label="Client ID" value={id} />
        {secret !== null && <Shown label="Client secret" value={secret} />}
      </div>
    </Dialog>
  );
}

function Shown({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-end gap-2">
      <Field label={label} className="min-w-0 flex-1">
        <Input readOnly value={value} onFocus={(event) => event.target.select()} />
      </Field>
      <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} iconOnly variant="secondary" />
    </div>
  );
}

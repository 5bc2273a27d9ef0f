/** Renames a passkey, so that its owner tells it from the others. */
import { useState, type FormEvent } from 'react';
import { passkeyName, type Passkey } from '#shared/accounts/second-factor-endpoints.ts';
import { api } from '#client/api/session-client.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

const FORM = 'rename-passkey';

interface RenamePasskeyDialogProps {
  passkey: Passkey;
  onClose: () => void;
  onRenamed: () => Promise<void>;
}

/** Open while it is rendered. */
export function RenamePasskeyDialog({ passkey, onClose, onRenamed }: RenamePasskeyDialogProps) {
  const [text, setText] = useState(passkey.name);
  const [problem, setProblem] = useState<string>();
  const { busy, run } = useBusy();
  const send = (event: FormEvent) => {
    event.preventDefault();
    const { data: name, error } = passkeyName.safeParse(text);
    if (name === undefined) return setProblem(error?.issues[0]?.message);
    void run(async () => {
      await api('passkey.update', { params: { id: passkey.id }, body: { name } });
      await onRenamed();
      onClose();
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Rename passkey"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={FORM} variant="primary" loading={busy}>
            Rename passkey
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={send}>
        <Field
          label="Name"
          hint="For example the device or the password manager that holds it."
          error={problem}
        >
          <Input
            value={text}
            autoComplete="off"
            onChange={(event) => {
              setText(event.target.value);
              setProblem(undefined);
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}

/** The passkeys of the account: adding one on this device, and removing them. */
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { Passkey } from '#shared/accounts/second-factor-endpoints.ts';
import { deviceName } from '#shared/accounts/device-name.ts';
import { hasPasskeys, makePasskey, passkeyProblem } from '#client/accounts/passkey-browser.ts';
import { RenamePasskeyDialog } from '#client/accounts/rename-passkey-dialog.tsx';
import { StepUpCancelled, useStepUp } from '#client/accounts/step-up.tsx';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

interface PasskeyListProps {
  passkeys: readonly Passkey[];
  onChanged: () => Promise<void>;
}

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  return (
    <li className="flex items-center gap-3 py-2.5">
      <KeyRound aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{passkey.name}</span>
        <span className="block text-xs text-ink-muted">
          Added <RelativeTime at={passkey.created} />
          {passkey.lastUsedAt !== null && (
            <>
              , last used <RelativeTime at={passkey.lastUsedAt} />
            </>
          )}
        </span>
      </span>
      <Button size="sm" aria-label={`Rename passkey ${passkey.name}`} onClick={onRename}>
        Rename
      </Button>
      <Button size="sm" aria-label={`Remove passkey ${passkey.name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

/** The list with a button below. */
export function PasskeyList({ passkeys, onChanged }: PasskeyListProps) {
  const { act, dialog } = useStepUp();
  const { busy, run } = useBusy();
  const [leaving, setLeaving] = useState<Passkey>();
  const [renamed, setRenamed] = useState<Passkey>();
  const [problem, setProblem] = useState<string>();
  const add = () =>
    run(async () => {
      setProblem(undefined);
      try {
        const { result } = await act(() => api('passkey.options', {}));
        const response = await makePasskey(result);
        await api('passkey.create', { body: { name: deviceName(navigator.userAgent), response } });
        showToast({ kind: 'success', title: 'Passkey added' });
        await onChanged();
      } catch (failure) {
        if (failure instanceof ApiProblem || failure instanceof StepUpCancelled) throw failure;
        setProblem(passkeyProblem(failure));
      }
    });
  const remove = ({ id }: Passkey) => {
    setLeaving(undefined);
    return run(async () => {
      await act(() => api('passkey.remove', { params: { id } }));
      showToast({ kind: 'success', title: 'Passkey removed' });
    }, onChanged);
  };
  return (
    <>
      {passkeys.length > 0 && (
        <ul className="divide-y divide-line/60">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenamed(passkey)}
              onRemove={() => setLeaving(passkey)}
            />
          ))}
        </ul>
      )}
      <FormProblem text={problem} />
      {hasPasskeys() ? (
        <div>
          <Button loading={busy} onClick={() => void add()}>
            Add a passkey
          </Button>
        </div>
      ) : (
        <p className="text-ink-muted">This browser does not support passkeys.</p>
      )}
      <ConfirmDialog
        open={leaving !== undefined}
        onOpenChange={(isOpen) => !isOpen && setLeaving(undefined)}
        title={`Remove passkey ${leaving?.name ?? ''}?`}
        confirm="Remove passkey"
        busy={busy}
        onConfirm={() => leaving && void remove(leaving)}
      >
        It will no longer open this account, and you are logged out on every other device.
      </ConfirmDialog>
      {renamed && (
        <RenamePasskeyDialog passkey={renamed} onClose={() => setRenamed(undefined)} onRenamed={onChanged} />
      )}
      {dialog}
    </>
  );
}

/**
 * Unsent changes on this device that belong to other accounts: a notice before log-in, and a choice to remove them
 * after it.
 */
import { useState } from 'react';
import type { Unsent } from '#client/api/signed-out-data.ts';
import { findUnsentOfOthers, removeOthers } from '#client/api/lazy-signed-out.ts';
import { useResolved } from '#client/shell/use-loaded.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { formatDate } from '#shared/english.ts';
import { FormCard } from '#client/ui/form-card.tsx';

const changes = (count: number) => (count === 1 ? 'One change' : `${count} changes`);

const findUnsent = () => findUnsentOfOthers();

/** On the login page; names no person. */
export function UnsentHint() {
  const unsent = useResolved(findUnsent);
  if (!unsent) return null;
  return (
    <output className="mb-5 block rounded-control bg-sunk px-3 py-2.5 text-sm">
      {changes(unsent.count)} made on this device {unsent.count === 1 ? 'waits' : 'wait'} to be sent. Log in
      with the account that made {unsent.count === 1 ? 'it' : 'them'} before{' '}
      {formatDate(new Date(unsent.until))}.
    </output>
  );
}

/** Another person's changes, met after logging in, and the way on. */
export interface OthersHere {
  unsent: Unsent;
  userId: string;
  goOn: () => Promise<void>;
}

/** Instead of the form, once a second person has logged in. */
export function OthersChoice({ others: { unsent, userId, goOn } }: { others: OthersHere }) {
  const [asking, setAsking] = useState(false);
  const { busy, run } = useBusy();
  const remove = () => void run(() => removeOthers(userId).then(goOn));
  return (
    <FormCard
      title="Another account has unsent changes on this device"
      lead={`${changes(unsent.count)} made here with another account never reached the server, because that session ended first. ${unsent.count === 1 ? 'It' : 'They'} cannot be read here, and only this device has ${unsent.count === 1 ? 'it' : 'them'}.`}
    >
      <p className="text-sm text-ink-muted">
        Kept changes are sent when that account logs in here again before {formatDate(new Date(unsent.until))}
        , and removed after that day.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant="primary" disabled={busy} onClick={() => void goOn()}>
          Keep and continue
        </Button>
        <Button disabled={busy} onClick={() => setAsking(true)}>
          Remove…
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Remove the other account’s changes?"
        confirm="Delete permanently"
        busy={busy}
        onConfirm={remove}
      >
        <p>
          {changes(unsent.count)} and everything else that the account left on this device{' '}
          {unsent.count === 1 ? 'is' : 'are'} deleted. There is no way to bring{' '}
          {unsent.count === 1 ? 'it' : 'them'} back.
        </p>
      </ConfirmDialog>
    </FormCard>
  );
}

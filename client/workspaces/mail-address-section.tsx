/** The secret address of the person: to copy, to renew, and to switch off. Hidden on a server that receives no mail. */
import { useState } from 'react';
import type { MailAddress } from '#shared/capture/mail-address.ts';
import type { Id } from '#shared/ids.ts';
import { api } from '#client/api/session-client.ts';
import { useResult } from '#client/api/use-result.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { SettingsSection } from '#client/workspaces/settings-frame.tsx';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { Input } from '#client/ui/input.tsx';

interface AddressProps {
  mail: MailAddress;
  busy: boolean;
  onRenew: () => void;
  onRemove: () => void;
}

function Address({ mail: { address }, busy, onRenew, onRemove }: AddressProps) {
  const isOnline = useIsOnline();
  return (
    <>
      {address === null ? (
        <p>The address is in use but can no longer be shown. Renew it to see it.</p>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Input
            readOnly
            aria-label="Your address"
            value={address}
            className="min-w-0 flex-1 basis-64"
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={address} label="Copy address" variant="primary" />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button disabled={!isOnline || busy} onClick={onRenew}>
          Renew address
        </Button>
        <Button variant="quietDanger" disabled={!isOnline || busy} onClick={onRemove}>
          Switch off
        </Button>
      </div>
      {!isOnline && <p className="text-ink-muted">The address can be changed when you are online.</p>}
    </>
  );
}

type Question = 'renew' | 'remove';

const QUESTIONS = {
  renew: {
    title: 'Renew the address?',
    confirm: 'Renew address',
    words: 'Mails to the present address will be refused from now on.',
  },
  remove: {
    title: 'Switch off the address?',
    confirm: 'Switch off',
    words: 'Mails to it will be refused from now on. What was saved stays.',
  },
} as const;

/** The section with its heading, once it is known that there is something to set. */
export function MailAddressSection({ workspaceId }: { workspaceId: Id<'workspace'> }) {
  const { known, load } = useResult('mail_address.get', { params: { workspaceId } });
  const [question, setQuestion] = useState<Question>();
  const { busy, run: runBusy } = useBusy();
  if (known.state !== 'here' || !known.value.isAvailable) return null;
  const run = async (what: Question) => {
    await runBusy(async () => {
      await api(`mail_address.${what}`, { params: { workspaceId } });
      await load();
    });
    setQuestion(undefined);
  };
  return (
    <SettingsSection
      title="Save by e-mail"
      lead="Mails to an address of your own are saved here as yours: the text as a note, a lone link as a link, attachments as files. Anyone who knows the address can save in your name."
    >
      {known.value.created === null ? (
        <div>
          <Button loading={busy} onClick={() => void run('renew')}>
            Create address
          </Button>
        </div>
      ) : (
        <Address
          mail={known.value}
          busy={busy}
          onRenew={() => setQuestion('renew')}
          onRemove={() => setQuestion('remove')}
        />
      )}
      {question !== undefined && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setQuestion(undefined)}
          title={QUESTIONS[question].title}
          confirm={QUESTIONS[question].confirm}
          busy={busy}
          onConfirm={() => void run(question)}
        >
          {QUESTIONS[question].words}
        </ConfirmDialog>
      )}
    </SettingsSection>
  );
}

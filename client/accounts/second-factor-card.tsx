/** Codes of an authenticator app: turning them on with a QR code that is drawn here, recovery codes, and turning them off. */
import { Download } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import type { WaysIn } from '#shared/accounts/sign-in-endpoints.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { useStepUp } from '#client/accounts/step-up.tsx';
import { refusedField, refusalText } from '#client/accounts/use-sign-in.ts';
import { api } from '#client/api/session-client.ts';
import { downloadText } from '#client/shell/download-text.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { lazyPart } from '#client/ui/lazy-part.tsx';

const LazyQrCode = lazyPart('the QR code', () => import('#client/ui/qr-code.tsx').then((m) => m.QrCode));

interface Begun {
  secret: string;
  uri: string;
}

interface SetUpProps {
  begun: Begun;
  onEnabled: (codes: readonly string[]) => void;
  onCancel: () => void;
}

function SetUp({ begun, onEnabled, onCancel }: SetUpProps) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const { result } = await api('second_factor.enable', { body: { code } });
      onEnabled(result.recoveryCodes);
    } catch (failure) {
      setProblem(refusedField(failure)?.text ?? refusalText(failure));
      setBusy(false);
    }
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (/^\s*\d{3}\s?\d{3}\s*$/.test(code)) void send();
    else setProblem('Enter the six digits of the app');
  };
  return (
    <form noValidate method="post" onSubmit={handleSubmit} className="flex flex-col gap-4">
      <p>Scan this code with an authenticator app, or type the key into it.</p>
      <LazyQrCode text={begun.uri} label="QR code for the authenticator app" />
      <div className="flex flex-wrap items-center gap-3">
        <code className="min-w-0 rounded-control bg-sunk px-2.5 py-1.5 text-sm wrap-anywhere">
          {begun.secret.match(/.{1,4}/g)?.join(' ')}
        </code>
        <CopyButton text={begun.secret} label="Copy key" size="sm" />
      </div>
      <Field label="Code of the app" error={problem} required>
        <Input
          value={code}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          onChange={(event) => {
            setProblem(undefined);
            setCode(event.target.value);
          }}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={busy}>
          Turn on codes
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

/** On, off, or being turned on. */
export function SecondFactor({ ways, onChanged }: { ways: WaysIn; onChanged: () => Promise<void> }) {
  const { act, dialog } = useStepUp();
  const [begun, setBegun] = useState<Begun>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [asking, setAsking] = useState(false);
  const { busy, run: runBusy } = useBusy();
  const run = (work: () => Promise<void>) => runBusy(() => act(work));
  const begin = () => run(async () => setBegun((await api('second_factor.begin', {})).result));
  const renew = () =>
    run(async () => {
      setCodes((await api('second_factor.renew_codes', {})).result.recoveryCodes);
      await onChanged();
    });
  const remove = () => {
    setAsking(false);
    return run(async () => {
      await api('second_factor.remove', {});
      showToast({ kind: 'success', title: 'Codes turned off' });
      await onChanged();
    });
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />;
  if (begun) {
    return (
      <SetUp
        begun={begun}
        onCancel={() => setBegun(undefined)}
        onEnabled={(recoveryCodes) => {
          setBegun(undefined);
          setCodes(recoveryCodes);
          void onChanged();
        }}
      />
    );
  }
  return (
    <>
      {ways.secondFactor ? (
        <>
          <p className="flex flex-wrap items-center gap-3">
            <Badge tone="primary">On</Badge>
            <span className={ways.recoveryCodes < 3 ? 'text-danger' : 'text-ink-muted'}>
              {ways.recoveryCodes === 1
                ? '1 recovery code left'
                : `${ways.recoveryCodes} recovery codes left`}
            </span>
          </p>
          <div className="flex flex-wrap gap-2">
            <Button loading={busy} onClick={() => void renew()}>
              Replace recovery codes
            </Button>
            <Button onClick={() => setAsking(true)}>Turn off codes</Button>
          </div>
        </>
      ) : (
        <div>
          <Button loading={busy} onClick={() => void begin()}>
            Set up an app
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Turn off codes?"
        confirm="Turn off codes"
        busy={busy}
        onConfirm={() => void remove()}
      >
        Your password alone will be enough to log in. The recovery codes stop working.
      </ConfirmDialog>
      {dialog}
    </>
  );
}

/** The list with ways to save it. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n');
  return (
    <div className="flex flex-col gap-4 rounded-card border border-line p-4">
      <p>
        <strong className="font-medium">Keep these recovery codes somewhere safe.</strong> Each works once in
        place of a code of the app. They are not shown again.
      </p>
      <ul aria-label="Recovery codes" className="grid gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy codes" />
        <Button
          icon={<Download className="size-4" />}
          onClick={() =>
            downloadText('loci-recovery-codes.txt', `Recovery codes for ${PRODUCT_NAME}\n\n${text}\n`)
          }
        >
          Download codes
        </Button>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}

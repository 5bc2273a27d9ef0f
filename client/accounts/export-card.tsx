/** A copy of the own data as a file. The server writes it, after asking for the password where the session is old. */
import { useStepUp } from '#client/accounts/step-up.tsx';
import { api } from '#client/api/session-client.ts';
import { downloadFile } from '#client/shell/download-text.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Button } from '#client/ui/button.tsx';

/** A button; the browser saves the file. */
export function ExportAccount() {
  const { act, dialog } = useStepUp();
  const isOnline = useIsOnline();
  const { busy, run } = useBusy();
  const save = () =>
    run(async () => {
      const { result } = await act(() => api('auth.export', {}));
      if (result instanceof Blob) downloadFile('loci-account.zip', result);
    });
  return (
    <div>
      <Button loading={busy} disabled={!isOnline} onClick={() => void save()}>
        Download my data
      </Button>
      {dialog}
    </div>
  );
}

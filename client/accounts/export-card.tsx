/** A copy of the own data as a file. The server writes it, after asking for the password where the session is old. */
import { useState } from 'react';
import { StepUpCancelled, useStepUp } from '#client/accounts/step-up.tsx';
import { api } from '#client/api/session-client.ts';
import { downloadText } from '#client/shell/download-text.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { Button } from '#client/ui/button.tsx';

/** A button; the browser saves the file. */
export function ExportAccount() {
  const { act, dialog } = useStepUp();
  const isOnline = useIsOnline();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { result } = await act(() => api('auth.export', {}));
      downloadText('loci-account.json', String(result));
    } catch (failure) {
      if (!(failure instanceof StepUpCancelled)) showProblem(failure);
    }
    setBusy(false);
  };
  return (
    <div>
      <Button loading={busy} disabled={!isOnline} onClick={() => void save()}>
        Download my data
      </Button>
      {dialog}
    </div>
  );
}

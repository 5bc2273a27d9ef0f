/**
 * Logging out: what waits is sent first; at once when nothing is left, after a question when changes would be lost.
 * What is removed from the device is the session's business.
 */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { logOut, sendBeforeLogout } from '#client/api/logout.ts';
import type { Problem } from '#client/replica/status.ts';
import { exportProblems } from '#client/replica/use-sync-status.ts';
import { downloadText } from '#client/shell/download-text.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';

/** The state of a logout under way. */
export interface Logout {
  /** Changes that would be lost; asked about while there are any. */
  unsent: readonly Problem[];
  busy: boolean;
  begin: () => void;
  confirm: () => void;
  cancel: () => void;
}

/** Asks only when something could not be sent. */
export function useLogout(): Logout {
  const [unsent, setUnsent] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);
  const run = (act: () => Promise<void>) => {
    setBusy(true);
    act()
      .catch(showProblem)
      .finally(() => setBusy(false));
  };
  return {
    unsent,
    busy,
    begin: () =>
      run(async () => {
        const left = await sendBeforeLogout();
        if (left.length === 0) await logOut();
        else setUnsent(left);
      }),
    confirm: () => run(logOut),
    cancel: () => setUnsent([]),
  };
}

/** The question. */
export function LogoutDialog({ logout }: { logout: Logout }) {
  const { unsent } = logout;
  return (
    <ConfirmDialog
      open={unsent.length > 0}
      onOpenChange={logout.cancel}
      title="Log out and lose changes?"
      confirm="Log out and discard"
      busy={logout.busy}
      onConfirm={logout.confirm}
    >
      <p>
        {unsent.length === 1 ? 'One change has' : `${unsent.length} changes have`} not reached the server.
        Logging out removes everything of yours from this device, these changes included.
      </p>
      <Button
        size="sm"
        icon={<Download />}
        className="mt-3"
        onClick={() => downloadText('loci-changes.json', exportProblems(unsent))}
      >
        Keep a copy
      </Button>
    </ConfirmDialog>
  );
}

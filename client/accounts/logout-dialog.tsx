/**
 * Logging out: what waits is sent first; at once when nothing is left, after a question when changes would be lost.
 * What is removed from the device is the session's business.
 */
import { Download } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { logOut, sendBeforeLogout, unsavedTexts } from '#client/api/logout.ts';
import { openedReplica } from '#client/replica/open-replica.ts';
import type { Problem } from '#client/replica/status.ts';
import { exportProblems } from '#client/replica/use-sync-status.ts';
import { downloadText } from '#client/shell/download-text.ts';
import { onLogoutAsked } from '#client/shell/logout-request.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';

/** The state of a logout under way. */
interface Logout {
  /** Changes that would be lost; asked about while there are any. */
  unsent: readonly Problem[];
  /** Names of archives that wait for the network and would be lost. */
  archives: readonly string[];
  /** Texts in fields, saved nowhere else. */
  texts: readonly string[];
  busy: boolean;
  begin: () => void;
  confirm: () => void;
  cancel: () => void;
}

async function waitingArchives(): Promise<readonly string[]> {
  const tables = await openedReplica()?.device?.tables();
  const waiting = (await tables?.upload.toArray()) ?? [];
  return waiting.map(({ name }) => name);
}

/** Asks only when something could not be sent. */
function useLogout(): Logout {
  const [unsent, setUnsent] = useState<readonly Problem[]>([]);
  const [archives, setArchives] = useState<readonly string[]>([]);
  const [texts, setTexts] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const run = (act: () => Promise<void>) => {
    setBusy(true);
    act()
      .catch(showProblem)
      .finally(() => setBusy(false));
  };
  return {
    unsent,
    archives,
    texts,
    busy,
    begin: () =>
      run(async () => {
        const left = await sendBeforeLogout();
        const waiting = await waitingArchives();
        const typed = await unsavedTexts();
        if (left.length + waiting.length + typed.length === 0) return logOut();
        setUnsent(left);
        setArchives(waiting);
        setTexts(typed);
      }),
    confirm: () => run(logOut),
    cancel: () => {
      setUnsent([]);
      setArchives([]);
      setTexts([]);
    },
  };
}

function titleOf({ unsent, texts }: Logout): string {
  if (unsent.length > 0) return 'Log out and lose changes?';
  return texts.length > 0 ? 'Log out and lose unsaved text?' : 'Log out before the import?';
}

/** Once per dashboard: hears the wish to log out, from a menu or the palette, and asks when something would be lost. */
export function LogoutQuestion() {
  const logout = useLogout();
  const begin = useEffectEvent(logout.begin);
  useEffect(() => {
    return onLogoutAsked(() => begin());
  }, []);
  const { unsent, archives, texts } = logout;
  const sentences = [
    archives.length > 0 &&
      `${archives.join(', ')} ${archives.length === 1 ? 'was' : 'were'} not imported yet. Logging out forgets it here; the file you chose stays where it is.`,
    unsent.length > 0 &&
      `${unsent.length === 1 ? 'One change has' : `${unsent.length} changes have`} not reached the server. Logging out removes everything of yours from this device, these changes included.`,
    texts.length > 0 &&
      `Text that you typed ${texts.length === 1 ? '' : `in ${texts.length} places `}is not saved yet. Logging out deletes it.`,
  ].filter((sentence) => sentence !== false);
  return (
    <ConfirmDialog
      open={sentences.length > 0}
      onOpenChange={logout.cancel}
      title={titleOf(logout)}
      confirm="Log out and discard"
      busy={logout.busy}
      onConfirm={logout.confirm}
    >
      {sentences.map((sentence) => (
        <p key={sentence} className="mt-2 break-words first:mt-0">
          {sentence}
        </p>
      ))}
      {unsent.length + texts.length > 0 && (
        <Button
          size="sm"
          icon={<Download />}
          className="mt-3"
          onClick={() => downloadText('loci-changes.json', exportProblems(unsent, texts))}
        >
          Download a copy
        </Button>
      )}
    </ConfirmDialog>
  );
}

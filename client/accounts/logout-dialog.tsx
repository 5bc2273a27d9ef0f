/**
 * Logging out: pending changes are sent first. Signs out at once when none are left, and after a confirmation when
 * changes would be lost. Removing the local data is left to the session.
 */
import { Download } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { logOut, sendBeforeLogout, unsavedTexts } from '#client/api/logout.ts';
import { openedReplica } from '#client/replica/open-replica.ts';
import type { Problem } from '#client/replica/status.ts';
import { exportProblems } from '#client/replica/use-sync-status.ts';
import { waitingFiles } from '#client/replica/waiting-files.ts';
import { downloadText } from '#client/shell/download-text.ts';
import { onLogoutAsked } from '#client/shell/logout-request.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';

interface Logout {
  /** Changes that logging out would lose; while there are any, the dialog asks for confirmation. */
  unsent: readonly Problem[];
  /** Names of archives that wait to be imported, and of files that wait to be uploaded, and would be lost. */
  uploads: Uploads;
  /** Texts in fields, saved nowhere else. */
  texts: readonly string[];
  busy: boolean;
  begin: () => void;
  confirm: () => void;
  cancel: () => void;
}

interface Uploads {
  archives: readonly string[];
  files: readonly string[];
}

const NO_UPLOADS: Uploads = { archives: [], files: [] };

async function waitingUploads(): Promise<Uploads> {
  const tables = await openedReplica()?.device?.tables();
  const stored = (await tables?.upload.toArray()) ?? [];
  const archives = stored.flatMap(({ kind, name }) => (kind === 'import' ? [name] : []));
  // Also those for which this device has no room; the tables contain files that the list does not show yet.
  const files = stored.flatMap(({ id, kind, name }) => (kind === 'file' ? [{ id, name }] : []));
  const all = new Map([...files, ...waitingFiles.get()].map(({ id, name }) => [id, name]));
  return { archives, files: [...all.values()] };
}

/** Asks for confirmation only when a change could not be sent. */
function useLogout(): Logout {
  const [unsent, setUnsent] = useState<readonly Problem[]>([]);
  const [uploads, setUploads] = useState(NO_UPLOADS);
  const [texts, setTexts] = useState<readonly string[]>([]);
  const { busy, run } = useBusy();
  return {
    unsent,
    uploads,
    texts,
    busy,
    begin: () =>
      void run(async () => {
        const left = await sendBeforeLogout();
        const waiting = await waitingUploads();
        const typed = await unsavedTexts();
        const count = left.length + waiting.archives.length + waiting.files.length + typed.length;
        if (count === 0) return logOut();
        setUnsent(left);
        setUploads(waiting);
        setTexts(typed);
      }),
    confirm: () => void run(logOut),
    cancel: () => {
      setUnsent([]);
      setUploads(NO_UPLOADS);
      setTexts([]);
    },
  };
}

function titleOf({ unsent, texts, uploads }: Logout): string {
  if (unsent.length > 0) return 'Log out and lose changes?';
  if (uploads.files.length > 0) return 'Log out and lose files?';
  return texts.length > 0 ? 'Log out and lose unsaved text?' : 'Log out before the import?';
}

/** Mounted once per dashboard: handles log-out requests of menus and the palette, and confirms when changes would be lost. */
export function LogoutQuestion() {
  const logout = useLogout();
  const begin = useEffectEvent(logout.begin);
  useEffect(() => {
    return onLogoutAsked(() => begin());
  }, []);
  const { unsent, texts } = logout;
  const { archives, files } = logout.uploads;
  const sentences = [
    archives.length > 0 &&
      `${archives.join(', ')} ${archives.length === 1 ? 'was' : 'were'} not imported yet. Logging out forgets it here; the file you chose stays where it is.`,
    files.length > 0 &&
      `${files.length === 1 ? `${files.join()} was` : `${files.length} files were`} not uploaded yet. Logging out removes ${files.length === 1 ? 'it' : 'them'} from this device.`,
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

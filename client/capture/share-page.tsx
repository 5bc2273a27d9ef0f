/**
 * Receives shared items, the installed app's shortcuts and opened files, and passes them to the last workspace. Shows only a
 * link to continue when there is no workspace yet.
 */
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { AppError } from '#shared/errors.ts';
import { currentPerson, lastWorkspace } from '#client/api/session.ts';
import { baseOfNames, captureDraft, givenDraft, sharedNames } from '#client/capture/capture-draft-key.ts';
import { findDraft, saveDraft } from '#client/shell/drafts.ts';
import {
  hasSharedFiles,
  takeSharedTexts,
  type SharedItem,
  storeSharedItem,
} from '#client/capture/shared-items.ts';
import { detectFiles } from '#client/capture/take-files.ts';
import { openModal } from '#client/shell/modals.ts';
import { openPalette } from '#client/shell/palette-state.ts';
import { showProblem } from '#client/shell/problem-toast.ts';

/** The address in a link of the product's own kind, `web+loci:https://example.org`, which any page can show. */
function withoutScheme(address: string): string {
  return address.replace(/^web\+loci:(?:\/\/)?(?=https?:)/i, '');
}

/** Joins the shared fields to one text: the address first, then the fields that do not repeat it. */
export function sharedText(item: Pick<SharedItem, 'title' | 'text' | 'url'>): string {
  const address = withoutScheme(item.url) || (/^https?:\/\/\S+$/i.test(item.text) ? item.text : '');
  const words = [item.title, item.text].filter((part) => part !== '' && part !== address);
  return [address, ...new Set(words)].filter((part) => part !== '').join('\n');
}

const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join('\n\n');

/**
 * The text becomes a draft before it is removed here, below what an earlier share left unsaved. The draft lists the
 * texts in it, so that none is added twice when the page is left in between.
 */
async function openCapture(draftKey: string, asked: string): Promise<void> {
  // After a reload the draft already contains the text of the address.
  const withAsked = (text = '') => (text.includes(asked) ? text : joined([text, asked]));
  let text = withAsked((await findDraft(draftKey))?.text);
  let hasFiles = false;
  try {
    await takeSharedTexts(async (waiting) => {
      const draft = await findDraft(draftKey);
      const known = sharedNames(draft?.base);
      const fresh = waiting.filter(({ name }) => !known.includes(name));
      text = joined([withAsked(draft?.text), ...fresh.map(({ item }) => sharedText(item))]);
      const names = baseOfNames(waiting.map(({ name }) => name));
      if (!(await saveDraft(draftKey, text, names)))
        throw new AppError('internal', 'This browser does not store drafts');
    });
    hasFiles = await hasSharedFiles();
  } catch (failure) {
    // Shared files are still stored and shown too.
    showProblem(failure);
  }
  if (hasFiles) detectFiles();
  if (text !== '' || !hasFiles) openModal('createMemory', text === '' ? {} : { text });
}

/**
 * `?url=&title=&text=` is sent by a bookmarklet; it is shown like any other share and saved only when the reader
 * confirms. `?new=thread` and `?new=search` are the other two shortcuts of the installed app, `?open=files` is used
 * when the system opens files with it.
 */
export function SharePage() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const wanted = params.get('new');
  const opensFiles = params.get('open') === 'files';
  const part = (name: keyof SharedItem) => params.get(name)?.trim() ?? '';
  const asked = sharedText({ title: part('title'), text: part('text'), url: part('url') });
  useEffect(() => {
    const workspace = lastWorkspace();
    const userId = currentPerson()?.user.id;
    if (workspace === undefined || userId === undefined) {
      void navigate('/onboarding', { replace: true });
      return;
    }
    const { slug } = workspace;
    const home = pathTo('workspace_home', { workspace_slug: slug });
    if (wanted === 'thread') void navigate(pathTo('thread_new', { workspace_slug: slug }), { replace: true });
    else if (wanted === 'search') {
      openPalette();
      void navigate(home, { replace: true });
    } else if (opensFiles) {
      takeOpenedFiles(detectFiles, showProblem);
      void navigate(home, { replace: true });
    } else
      void openCapture(givenDraft(captureDraft(userId, workspace.id)), asked).then(() =>
        navigate(home, { replace: true }),
      );
  }, [navigate, wanted, opensFiles, asked]);
  return <p className="sr-only">Opening your workspace</p>;
}

interface FileHandle {
  getFile: () => Promise<File>;
}

interface LaunchQueue {
  setConsumer: (consumer: (launch: { files?: readonly FileHandle[] }) => void) => void;
}

function isLaunchQueue(value: unknown): value is LaunchQueue {
  return typeof value === 'object' && value !== null && 'setConsumer' in value;
}

/**
 * Files that are opened with the installed app ("Open with") wait like shared ones until they are saved. Needs the launch
 * queue of an installed app; elsewhere it never receives a file. Stores files that the system opens with the app, and calls
 * back once they are safe on this device.
 */
function takeOpenedFiles(onKept: () => void, onFailure: (failure: unknown) => void): void {
  const queue: unknown = Reflect.get(globalThis, 'launchQueue');
  if (!isLaunchQueue(queue)) return;
  queue.setConsumer(({ files: handles = [] }) => {
    Promise.all(handles.map((handle) => handle.getFile()))
      .then(async (files) => {
        const item = { title: '', text: '', url: '', receivedAt: Date.now() };
        if (files.length > 0) await storeSharedItem({ ...item, files });
      })
      .then(onKept, onFailure);
  });
}

/**
 * Where the share target, the installed app's shortcuts and opened files land: hands them to the last workspace.
 * Shows nothing of its own but a way on when there is no workspace yet.
 */
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { lastWorkspace } from '#client/api/session.ts';
import { takeSharedItems, type SharedItem } from '#client/capture/shared-items.ts';
import { waitingFiles } from '#client/capture/take-files.ts';
import { openModal } from '#client/shell/modals.ts';
import { openPalette } from '#client/shell/palette-state.ts';
import { showProblem } from '#client/shell/problem-toast.ts';

/** One text out of what was shared: the address first, then the words that are not the address again. */
export function sharedText(item: Pick<SharedItem, 'title' | 'text' | 'url'>): string {
  const address = item.url || (/^https?:\/\/\S+$/i.test(item.text) ? item.text : '');
  const words = [item.title, item.text].filter((part) => part !== '' && part !== address);
  return [address, ...new Set(words)].filter((part) => part !== '').join('\n');
}

async function openCapture(): Promise<void> {
  try {
    const items = await takeSharedItems();
    const text = items
      .map(sharedText)
      .filter((part) => part !== '')
      .join('\n\n');
    const files = items.flatMap((item) => item.files);
    if (files.length > 0) waitingFiles.set(files);
    if (text !== '' || files.length === 0) openModal('createMemory', text === '' ? {} : { text });
  } catch (failure) {
    showProblem(failure);
  }
}

/** `?new=thread` and `?new=search` are the other two shortcuts of the installed app. */
export function SharePage() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const wanted = params.get('new');
  useEffect(() => {
    const slug = lastWorkspace()?.slug;
    if (slug === undefined) {
      void navigate('/onboarding', { replace: true });
      return;
    }
    const home = pathTo('workspace_home', { workspace_slug: slug });
    if (wanted === 'thread') void navigate(pathTo('thread_new', { workspace_slug: slug }), { replace: true });
    else if (wanted === 'search') {
      openPalette();
      void navigate(home, { replace: true });
    } else void openCapture().then(() => navigate(home, { replace: true }));
  }, [navigate, wanted]);
  return <p className="sr-only">Opening your workspace</p>;
}

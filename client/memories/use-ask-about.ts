// "Ask about it": starts a new thread with a draft that begins with the memory.
import { useNavigate, useLocation } from 'react-router';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { pathTo } from '#shared/pages.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import { memoryAddress } from '#client/memories/use-memory-menu.tsx';
import { findDraft, saveDraft } from '#client/shell/drafts.ts';
import { newThreadDraft } from '#client/threads/queries.ts';
import { useActor, useWorkspaceSlug } from '#client/workspaces/queries.ts';

/** Leads to the page of a new thread; what was begun there before stays in front. */
export function useAskAbout(): (row: MemoryHead) => Promise<void> {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { userId } = useActor();
  const slug = useWorkspaceSlug();
  return async (row) => {
    const key = newThreadDraft(userId, slug);
    const begun = (await findDraft(key))?.text ?? '';
    const title = memoryTitle(row).replace(/[[\]]/g, '');
    const about = `About [${title}](${memoryAddress(pathname, row.id)}): `;
    await saveDraft(key, begun === '' ? about : `${begun.trimEnd()}\n\n${about}`);
    await navigate(pathTo('thread_new', { workspace_slug: slug }));
  };
}

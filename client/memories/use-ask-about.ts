// "Ask about it": starts a new thread with a draft that is about the memory.
import { useNavigate } from 'react-router';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { pathTo } from '#shared/pages.ts';
import { CONTEXT_MAX, readContext, withContext, type ContextItem } from '#shared/threads/message-context.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import { findDraft, saveDraft } from '#client/shell/drafts.ts';
import { newThreadDraft } from '#client/threads/queries.ts';
import { useActor, useWorkspaceSlug } from '#client/workspaces/queries.ts';

/** Opens the page of a new thread; a draft begun there before stays in front. */
export function useAskAbout(): (row: MemoryHead) => Promise<void> {
  const navigate = useNavigate();
  const { userId } = useActor();
  const slug = useWorkspaceSlug();
  return async (row) => {
    const key = newThreadDraft(userId, slug);
    const { items, text } = readContext((await findDraft(key))?.text ?? '');
    const others = items.filter(({ id }) => id !== row.id).slice(1 - CONTEXT_MAX);
    const about: ContextItem = { kind: 'memory', id: row.id, title: memoryTitle(row) };
    await saveDraft(key, withContext([...others, about], text));
    await navigate(pathTo('thread_new', { workspace_slug: slug }));
  };
}

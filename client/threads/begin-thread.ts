import { useNavigate } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { GO_ON_WRITING } from '#client/shell/go-on-writing.ts';
import { startThread } from '#client/threads/actions.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';

/** Starts a thread with a message and opens it; resolves to whether the message is stored. */
export function useBeginThread({ replace = false } = {}): (content: string) => Promise<boolean> {
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  return async (content) => {
    const id = await startThread(content);
    if (id === undefined) return false;
    const path = pathTo('thread', { workspace_slug: slug, thread_id: id });
    await navigate(path, { replace, state: GO_ON_WRITING });
    return true;
  };
}

/** A thread as other people see it: its name and the messages that they read. */
import { useCallback } from 'react';
import type { SpaceViewer } from '#shared/spaces/visibility.ts';
import type { Thread } from '#shared/threads/thread.ts';
import type { ThreadView } from '#shared/threads/thread-view.ts';
import { api } from '#client/api/session-client.ts';
import { ViewAsCard } from '#client/spaces/view-as-card.tsx';

const messageCount = (count: number) => (count === 1 ? '1 message' : `${count} messages`);

const AUTHORS = { user: 'Question', assistant: 'Answer', system: 'Instruction' } as const;

function Content({ view, who }: { view: ThreadView; who: string }) {
  const earlier = view.total - view.messages.length;
  return (
    <>
      <p className="font-serif text-name wrap-anywhere">{view.thread?.name}</p>
      {view.thread?.summary && <p className="mt-1 wrap-anywhere text-ink-muted">{view.thread.summary}</p>}
      <p className="mt-1 text-xs text-ink-muted">{messageCount(view.total)}</p>
      {earlier > 0 && <p className="mt-2 text-xs text-ink-muted">The first {earlier} are not shown here.</p>}
      <ul aria-label={`What ${who} sees`} className="mt-3 divide-y divide-line/60">
        {view.messages.map(({ id, role, content }) => (
          <li key={id} className="py-2">
            <p className="text-xs text-ink-muted">{AUTHORS[role]}</p>
            <p className="line-clamp-6 wrap-anywhere whitespace-pre-wrap">{content}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** For those who may change who sees the thread. */
export function ViewThreadAs({ thread }: { thread: Thread }) {
  const { id, workspaceId } = thread;
  const load = useCallback(
    async (viewer: SpaceViewer) =>
      (await api('thread.view_as', { params: { workspaceId, id }, query: { viewer } })).result,
    [workspaceId, id],
  );
  return (
    <ViewAsCard place={thread} load={load}>
      {(view, who) => <Content view={view} who={who} />}
    </ViewAsCard>
  );
}

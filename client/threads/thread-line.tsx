/**
 * One thread in a list: its name, the piece of text it was found by, who may see it, and its menu.
 * Deleted ones offer their way back instead.
 */
import { MessagesSquare, MoreHorizontal, Pencil, Share2, Trash2, Undo2 } from 'lucide-react';
import { Link } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { restoreThread } from '#client/threads/actions.ts';
import { threadWords, useThreadRights } from '#client/threads/queries.ts';
import { MarkedText } from '#client/shell/marked-text.tsx';
import { openModal } from '#client/shell/modals.ts';
import { VisibilityMark } from '#client/spaces/visibility-card.tsx';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

function ThreadMenu({ thread }: { thread: Thread }) {
  const rights = useThreadRights();
  const threadId = thread.id;
  if (!rights('thread.update', thread)) return null;
  return (
    <span className="z-1">
      <DropdownMenu
        trigger={<PlainIconButton label={`Actions for ${thread.name}`} icon={<MoreHorizontal />} size="sm" />}
        entries={[
          { label: 'Share…', icon: <Share2 />, run: () => openModal('shareThread', { threadId }) },
          { label: 'Rename…', icon: <Pencil />, run: () => openModal('renameThread', { threadId }) },
          rights('thread.remove', thread) && {
            label: 'Delete…',
            icon: <Trash2 />,
            tone: 'danger',
            run: () => openModal('deleteThread', { threadId }),
          },
        ]}
      />
    </span>
  );
}

interface ThreadLineProps {
  thread: Thread;
  /** The matching passage and the query, when the name does not match. */
  found?: { passage: string; query: string } | undefined;
}

export function ThreadLine({ thread, found }: ThreadLineProps) {
  const slug = useWorkspaceSlug();
  const rights = useThreadRights();
  const isDeleted = thread.deletedAt !== null;
  return (
    <li className="relative flex min-h-11 items-center gap-3 rounded-control px-2 py-1 hover:bg-hover">
      <MessagesSquare aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1">
        <Link
          to={pathTo('thread', { workspace_slug: slug, thread_id: thread.id })}
          className="block truncate font-medium outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-2 focus-visible:after:outline-primary"
        >
          {thread.name}
        </Link>
        {found !== undefined && (
          <span className="block truncate text-xs text-ink-muted">
            <MarkedText text={found.passage} words={{ words: [], prefixes: threadWords(found.query) }} />
          </span>
        )}
      </span>
      <span className="flex shrink-0 items-center gap-3 text-xs text-ink-faint">
        <VisibilityMark visibility={thread.visibility} wordless />
        <RelativeTime at={thread.deletedAt ?? thread.updated} className="max-sm:hidden" />
      </span>
      {isDeleted ? (
        rights('thread.remove', thread) && (
          <Button
            size="sm"
            variant="ghost"
            icon={<Undo2 />}
            className="z-1"
            aria-label={`Restore ${thread.name}`}
            onClick={() => void restoreThread(thread)}
          >
            Restore
          </Button>
        )
      ) : (
        <ThreadMenu thread={thread} />
      )}
    </li>
  );
}

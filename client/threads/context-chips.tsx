/** The memories and spaces that a message is about: removable while it is written, links once it is sent. */
import { FileText, Folder, X } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { sourceTitle } from '#shared/threads/answer-sources.ts';
import type { ContextItem } from '#shared/threads/message-context.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { searchWithMemory, type MemoryLinkState } from '#client/shell/memory-address.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';

const SHAPE =
  'inline-flex h-6 max-w-60 items-center gap-1.5 rounded-control border border-line bg-raised px-1.5 text-xs font-medium text-ink-muted';
const OVER_PAGE: MemoryLinkState = { overPage: true };

/** Decorative: the title says what it is. */
export function ContextIcon({ kind }: Pick<ContextItem, 'kind'>) {
  const Icon = kind === 'memory' ? FileText : Folder;
  return <Icon aria-hidden="true" className="size-3.5 shrink-0 opacity-70" />;
}

export function ChosenContext({
  items,
  onRemove,
}: {
  items: readonly ContextItem[];
  onRemove: (item: ContextItem) => void;
}) {
  if (items.length === 0) return null;
  return (
    <ul aria-label="Answered from" className="flex flex-wrap gap-1.5 px-4 pt-2.5 pointer-coarse:gap-3">
      {items.map((item) => (
        <li key={item.id} className={`${SHAPE} pe-0`}>
          <ContextIcon kind={item.kind} />
          <span className="truncate">{item.title}</span>
          <button
            type="button"
            aria-label={`Remove ${item.title}`}
            onClick={() => onRemove(item)}
            className="relative grid size-6 shrink-0 place-items-center rounded-control text-ink-faint hover:text-ink pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5"
          >
            <X aria-hidden="true" className="size-3" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** One that can be opened, or its title alone for readers who do not have it. */
function SentItem({ item }: { item: ContextItem }) {
  const slug = useWorkspaceSlug();
  const { pathname, search } = useLocation();
  const target = useQuery(
    (view) => {
      if (item.kind === 'memory') {
        const row = view.get('memory', item.id);
        const to = { pathname, search: searchWithMemory(search, item.id) };
        return row && { title: sourceTitle(row), to };
      }
      const space = view.get('space', item.id);
      const to = space && pathTo('space', { workspace_slug: slug, space_slug: space.slug });
      return space && { title: space.name, to };
    },
    [item, slug, pathname, search],
  );
  const content = (
    <>
      <ContextIcon kind={item.kind} />
      <span className="truncate">{target ? target.title : item.title}</span>
    </>
  );
  if (!target?.to) return <span className={SHAPE}>{content}</span>;
  return (
    <Link
      to={target.to}
      {...(item.kind === 'memory' && { state: OVER_PAGE, preventScrollReset: true, 'data-item': item.id })}
      className={`${SHAPE} hover:bg-hover hover:text-ink pointer-coarse:h-11 pointer-coarse:px-3`}
    >
      {content}
    </Link>
  );
}

export function SentContext({ items }: { items: readonly ContextItem[] }) {
  if (items.length === 0) return null;
  return (
    <ul aria-label="Answered from" className="mb-1.5 flex flex-wrap gap-1.5">
      {items.map((item) => (
        <li key={item.id} className="max-w-full">
          <SentItem item={item} />
        </li>
      ))}
    </ul>
  );
}

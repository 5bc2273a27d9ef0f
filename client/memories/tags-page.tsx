/**
 * `/{workspace_slug}/tags`: every tag of the workspace with the number of its memories; tags can be renamed, merged and
 * removed here. Everything comes from the replica.
 */
import { ArrowDownNarrowWide, Hash, MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { tagMemories } from '#client/memories/actions.ts';
import { useMemoryRights, useMemoryRows, useTagCounts } from '#client/memories/queries.ts';
import { RenameTagDialog } from '#client/memories/rename-tag-dialog.tsx';
import { useIsWhole } from '#client/replica/use-known.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { Button } from '#client/ui/button.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Input } from '#client/ui/input.tsx';
import { LazyMenu } from '#client/ui/lazy-menu.tsx';
import { countMemories, sortedByName } from '#shared/english.ts';

const SORTS = [
  { value: 'use', label: 'Most used' },
  { value: 'name', label: 'Name' },
] as const;

/** From here on a field narrows the list. */
const MANY = 12;

interface TagLineProps {
  tag: string;
  count: number;
  editable: boolean;
  onRename: () => void;
  onRemove: () => void;
}

function TagLine({ tag, count, editable, onRename, onRemove }: TagLineProps) {
  const home = pathTo('workspace_home', { workspace_slug: useWorkspaceSlug() });
  return (
    <li className="flex min-h-11 items-center gap-3 [contain-intrinsic-size:auto_2.75rem] [content-visibility:auto]">
      <Link
        to={`${home}?${new URLSearchParams({ tag }).toString()}`}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-2 rounded-control hover:underline"
      >
        <Hash aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
        <span className="truncate font-medium">{tag}</span>
        <span className="ms-auto shrink-0 text-sm text-ink-muted tabular-nums">{countMemories(count)}</span>
      </Link>
      {editable && (
        <LazyMenu
          button={{ label: `Actions for ${tag}`, icon: <MoreHorizontal /> }}
          entries={[
            { label: 'Rename…', icon: <Pencil />, run: onRename },
            { label: 'Remove from all memories', icon: <Trash2 />, tone: 'danger', run: onRemove },
          ]}
        />
      )}
    </li>
  );
}

export function TagsPage() {
  usePageTitle('Tags');
  const [params, setParams] = useSearchParams();
  const sort = params.get('sort') === 'name' ? 'name' : 'use';
  const [wanted, setWanted] = useState('');
  const [renamed, setRenamed] = useState<string>();
  const rows = useMemoryRows('active');
  const rights = useMemoryRights();
  const counts = useTagCounts();
  const isWhole = useIsWhole();
  const editable = useMemo(
    () => new Set(rows.filter((row) => rights('memory.update', row)).flatMap((row) => row.tags)),
    [rows, rights],
  );
  const shown = useMemo(() => {
    const text = wanted.trim().toLowerCase();
    const matches = counts.filter(([tag]) => tag.includes(text));
    return sort === 'name' ? sortedByName(matches, ([tag]) => tag) : matches;
  }, [counts, sort, wanted]);
  const editableWith = (tag: string) =>
    rows.filter((row) => row.tags.includes(tag) && rights('memory.update', row));
  const setSort = (next: string) =>
    setParams(next === 'name' ? { sort: next } : {}, { replace: true, preventScrollReset: true });
  return (
    <>
      <PageBar
        title="Tags"
        actions={
          isWhole &&
          counts.length > 1 && (
            <DropdownMenu
              trigger={
                <Button size="sm" variant="ghost" icon={<ArrowDownNarrowWide />}>
                  {SORTS.find(({ value }) => value === sort)?.label}
                </Button>
              }
              entries={[{ kind: 'choice', label: 'Order', value: sort, options: SORTS, set: setSort }]}
            />
          )
        }
      />
      <div className="column pt-3 pb-28 md:pb-16">
        <FirstSyncNotice>
          {counts.length > MANY && (
            <Input
              type="search"
              aria-label="Find a tag"
              placeholder="Find a tag"
              value={wanted}
              onChange={(event) => setWanted(event.target.value)}
              className="mb-2"
            />
          )}
          {counts.length === 0 ? (
            <EmptyState title="No tags yet">
              Tags of your memories are listed here. Add the first one to a memory.
            </EmptyState>
          ) : (
            <ul aria-label="Tags" className="divide-y divide-line">
              {shown.map(([tag, count]) => (
                <TagLine
                  key={tag}
                  tag={tag}
                  count={count}
                  editable={editable.has(tag)}
                  onRename={() => setRenamed(tag)}
                  onRemove={() => void tagMemories(editableWith(tag), tag, false)}
                />
              ))}
            </ul>
          )}
          <output className="block pt-4 text-sm text-ink-muted empty:hidden">
            {counts.length > 0 && shown.length === 0 ? 'No tag matches.' : ''}
          </output>
        </FirstSyncNotice>
      </div>
      {renamed !== undefined && (
        <RenameTagDialog
          tag={renamed}
          counts={counts}
          rows={editableWith(renamed)}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </>
  );
}

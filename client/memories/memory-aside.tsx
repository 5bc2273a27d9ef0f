/**
 * Side column of a memory: tags, spaces, content status, and where and when it was saved. Links lead to lists;
 * removable tags and spaces have a button.
 */
import { FolderInput, FolderPlus, House, Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { automaticOf } from '#shared/memories/automatic.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { Space } from '#shared/spaces/space.ts';
import { retryMemory, tagMemories } from '#client/memories/actions.ts';
import { KIND_LABELS } from '#client/memories/memory-kind.tsx';
import { canRetry, MemoryStatus, statusReason, waitingNote } from '#client/memories/memory-status.tsx';
import { openHomePicker, openSpacePicker, openTagPicker } from '#client/memories/organize-state.ts';
import { useMemoryRights, useSpacesOf } from '#client/memories/queries.ts';
import { originLabel } from '#client/memories/origin-label.ts';
import { SuggestedTags } from '#client/memories/suggested-tags.tsx';
import { useFiling } from '#client/memories/use-filing.ts';
import { SpaceName } from '#client/spaces/space-mark-card.tsx';
import { useSpace, useSpaceRights } from '#client/spaces/queries.ts';
import { useMemberName, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { Button } from '#client/ui/button.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { Tag } from '#client/ui/tag.tsx';
import { Tooltip } from '#client/ui/tooltip.tsx';

interface PartProps {
  row: MemoryHead;
  editable: boolean;
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="text-xs font-medium text-ink-faint">{title}</h3>
      {children}
    </section>
  );
}

function Tags({ row, editable }: PartProps) {
  const { tags: automatic } = automaticOf(row);
  return (
    <Section title="Tags">
      <div className="flex flex-wrap items-center gap-1.5">
        {row.tags.map((tag) => (
          <Tag
            key={tag}
            name={tag}
            isAutomatic={automatic.has(tag)}
            {...(editable ? { onRemove: () => void tagMemories([row], tag, false) } : {})}
          />
        ))}
        {!editable && row.tags.length === 0 && <span className="text-ink-faint">None</span>}
        {editable && (
          <Tooltip text="Tags" keys={keysOf('memory.tags')}>
            <Button
              size="sm"
              variant="ghost"
              icon={<Plus />}
              onClick={() => openTagPicker([row.id])}
              className={row.tags.length === 0 ? '-ms-2' : ''}
            >
              Tag
            </Button>
          </Tooltip>
        )}
      </div>
      {editable && <SuggestedTags row={row} />}
    </Section>
  );
}

function SpaceLine({ row, space, editable }: PartProps & { space: Space }) {
  const slug = useWorkspaceSlug();
  const file = useFiling();
  const rights = useSpaceRights();
  return (
    <li className="group/space flex items-center gap-1">
      <Link
        to={pathTo('space', { workspace_slug: slug, space_slug: space.slug })}
        className="flex min-w-0 flex-1 items-center gap-1.5 rounded-control px-1.5 py-1 hover:bg-hover"
      >
        <SpaceName space={space} />
        {row.spaceId === space.id && (
          <span title="Home space" className="ms-auto text-ink-faint">
            <House aria-hidden="true" className="size-3.5" />
            <span className="sr-only">, lives here</span>
          </span>
        )}
      </Link>
      {editable && rights('space.file', space) && (
        <IconButton
          label={`Remove from ${space.name}`}
          icon={<X />}
          size="xs"
          onClick={() => file([row.id], space, { on: false })}
        />
      )}
    </li>
  );
}

function Spaces({ row, editable }: PartProps) {
  const spacesOf = useSpacesOf();
  const rights = useMemoryRights();
  const spaces = spacesOf(row.id);
  return (
    <Section title={spaces.length > 1 ? `In ${spaces.length} spaces` : 'Spaces'}>
      {spaces.length > 0 && (
        <ul className="-mx-1.5 flex flex-col">
          {spaces.map((space) => (
            <SpaceLine key={space.id} row={row} space={space} editable={editable} />
          ))}
        </ul>
      )}
      {!editable && spaces.length === 0 && <span className="text-ink-faint">None</span>}
      {editable && (
        <Tooltip text="Add to space" keys={keysOf('memory.move')}>
          <Button
            size="sm"
            variant="ghost"
            icon={<FolderPlus />}
            onClick={() => openSpacePicker([row.id])}
            className="-ms-2 self-start"
          >
            Add to space
          </Button>
        </Tooltip>
      )}
      {row.deletedAt === null && rights('memory.move', row) && (
        <Tooltip text="Move to" keys={keysOf('memory.home')}>
          <Button
            size="sm"
            variant="ghost"
            icon={<FolderInput />}
            onClick={() => openHomePicker([row.id])}
            className="-ms-2 -mt-2 self-start"
          >
            Move to
          </Button>
        </Tooltip>
      )}
    </Section>
  );
}

/** Metadata of a web page, as its memory shows it. */
const PAGE_FACTS = [
  ['Site', 'site'],
  ['Author', 'author'],
] as const;

function Details({ row, editable }: PartProps) {
  const waiting = waitingNote(row);
  const home = useSpace(row.spaceId);
  const author = useMemberName(row.createdBy);
  const editor = useMemberName(row.lastEditedBy);
  const lines: [string, ReactNode][] = [
    ['Kind', KIND_LABELS[row.type]],
    ['From', originLabel(row.origin)],
    ['Saved', <RelativeTime key="created" at={row.created} />],
    ['By', author],
  ];
  // Also for a space that it was removed from: that space still decides who can read the memory.
  if (row.spaceId !== null) lines.push(['Home space', home?.name ?? 'A space you cannot see']);
  if (row.updated !== row.created) {
    lines.push(['Changed', <RelativeTime key="updated" at={row.updated} />]);
    if (row.lastEditedBy !== row.createdBy) lines.push(['Changed by', editor]);
  }
  if (row.filename !== null) lines.push(['File', row.filename]);
  for (const [term, name] of PAGE_FACTS) {
    const value = row.metadata[name];
    if (typeof value === 'string') lines.push([term, value]);
  }
  const { published } = row.metadata;
  if (typeof published === 'string')
    lines.push(['Published', <RelativeTime key="published" at={published} />]);
  return (
    <Section title="Details">
      {row.contentStatus !== 'completed' && (
        <div className="flex flex-col items-start gap-1.5">
          <MemoryStatus row={row} />
          {statusReason(row) && <p className="text-xs text-ink-muted">{statusReason(row)}</p>}
          {waiting !== undefined && <p className="text-xs text-ink-muted">{waiting}</p>}
          {editable && canRetry(row) && (
            <Button size="sm" onClick={() => void retryMemory(row)}>
              Try again
            </Button>
          )}
        </div>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs">
        {lines.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-ink-faint">{term}</dt>
            <dd className="truncate text-ink-muted">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** The three sections. */
export function MemoryAside({ row, editable }: PartProps) {
  return (
    <div className="flex flex-col gap-6">
      <Tags row={row} editable={editable} />
      <Spaces row={row} editable={editable} />
      <Details row={row} editable={editable} />
    </div>
  );
}

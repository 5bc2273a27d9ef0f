/**
 * `/{workspace_slug}/spaces/{space_slug}`: what a space is and its memories.
 * The list itself, with filters, drop and picker, is the memories feature's card.
 */
import { MoreHorizontal, Plus, Share2 } from 'lucide-react';
import { Link } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import type { Space } from '#shared/spaces/space.ts';
import { AddMemoriesButton, SpaceMemories } from '#client/memories/space-memories-card.tsx';
import { SpaceRemoveCard } from '#client/memories/space-remove-card.tsx';
import { useSpaceCount, useSpaceRights } from '#client/spaces/queries.ts';
import { SpaceCover } from '#client/spaces/space-cover-card.tsx';
import { SpaceMark } from '#client/spaces/space-mark-card.tsx';
import { MemoryCount } from '#client/spaces/memory-count-card.tsx';
import { useSpaceAddress } from '#client/spaces/use-space-address.ts';
import { useSpaceMenu } from '#client/spaces/use-space-menu.tsx';
import { VisibilityMark } from '#client/spaces/visibility-card.tsx';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { NotOnDevice } from '#client/shell/not-on-device.tsx';
import { MissingPage } from '#client/shell/missing-page.tsx';
import { openModal } from '#client/shell/modals.ts';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { Button } from '#client/ui/button.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';

/** Guests have nothing that they could add but what they write here. */
function SaveHere({ space }: { space: Space }) {
  return (
    <Button size="sm" icon={<Plus />} onClick={() => openModal('createMemory', { spaceId: space.id })}>
      Save a memory
    </Button>
  );
}

function SpaceBar({ space }: { space: Space }) {
  const slug = useWorkspaceSlug();
  const rights = useSpaceRights();
  const isMember = useCan()('memory.create');
  const menuOf = useSpaceMenu();
  const mayShare = rights('space.update', space);
  const count = useSpaceCount(space.id);
  const share = () => openModal('shareSpace', { spaceId: space.id });
  useShortcut('memory.share', share, { enabled: mayShare });
  return (
    <PageBar
      title={space.name}
      before={
        <span className="flex shrink-0 items-baseline gap-2.5 text-sm text-ink-muted">
          <Link
            to={pathTo('spaces', { workspace_slug: slug })}
            className="rounded-control hover:text-ink max-sm:hidden"
          >
            Spaces
          </Link>
          <span aria-hidden="true" className="text-ink-faint max-sm:hidden">
            /
          </span>
          <SpaceMark color={space.color} className="size-5" />
        </span>
      }
      note={<MemoryCount count={count} />}
      actions={
        <>
          {rights('space.file', space) &&
            (isMember ? <AddMemoriesButton space={space} /> : <SaveHere space={space} />)}
          {mayShare && (
            <IconButton
              label="Share"
              keys={keysOf('memory.share')}
              icon={<Share2 />}
              onClick={share}
              className="max-sm:hidden"
            />
          )}
          <DropdownMenu
            trigger={<PlainIconButton label={`Actions for ${space.name}`} icon={<MoreHorizontal />} />}
            entries={menuOf(space)}
          />
        </>
      }
    />
  );
}

function SpaceIntro({ space }: { space: Space }) {
  const count = useSpaceCount(space.id);
  return (
    <section aria-label="About this space">
      <SpaceCover
        color={space.color}
        name={space.name}
        lit={count !== 0}
        wide
        className="h-18 rounded-card sm:h-24"
      />
      {space.description && (
        <p className="mt-3 max-w-2xl break-words whitespace-pre-line text-ink-muted">{space.description}</p>
      )}
      <p className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-faint">
        <VisibilityMark visibility={space.visibility} />
        <span>
          Created <RelativeTime at={space.created} />
        </span>
      </p>
    </section>
  );
}

function Looking() {
  return (
    <>
      <PageBar title="Space" />
      <FirstSyncNotice />
    </>
  );
}

export function SpacePage() {
  const { space, state } = useSpaceAddress();
  usePageTitle(space?.name ?? 'Space');
  const may = useSpaceRights();
  const mayCapture = space !== undefined && may('space.file', space) && may('memory.create', space);
  useShortcut('memory.capture', () => space && openModal('createMemory', { spaceId: space.id }), {
    enabled: mayCapture,
  });
  if (!space && state === 'offline') return <NotOnDevice what="space" />;
  if (!space) return state === 'unknown' ? <MissingPage /> : <Looking />;
  return (
    <>
      <SpaceBar space={space} />
      <div className="column flex flex-col gap-4 pt-3 pb-28 md:pb-16">
        <SpaceIntro space={space} />
        <SpaceMemories key={space.id} space={space} />
        <SpaceRemoveCard space={space} may={may('space.file', space)} />
      </div>
    </>
  );
}

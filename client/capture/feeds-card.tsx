/** The feeds that the person follows, for owners and admins those of all members: state, space, and what can be done with each. */
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { FEEDS_MAX, type Feed } from '#shared/capture/feed.ts';
import type { Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import { api } from '#client/api/session-client.ts';
import { useResult } from '#client/api/use-result.ts';
import { FollowFeedDialog } from '#client/capture/follow-feed-dialog.tsx';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { useIsOnline } from '#client/shell/online.ts';
import { perform } from '#client/shell/perform.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { useSpace } from '#client/spaces/queries.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { useActor, useMemberName, useWorkspaceSlug } from '#client/workspaces/queries.ts';

function State({ feed: { state, problem } }: { feed: Feed }) {
  if (state === 'paused') return <Badge>Paused</Badge>;
  return problem === null ? <Badge tone="primary">Active</Badge> : <Badge tone="warning">Failing</Badge>;
}

function FeedSpace({ spaceId }: { spaceId: Id<'space'> }) {
  const space = useSpace(spaceId);
  const workspaceSlug = useWorkspaceSlug();
  // Another member's private space is not on this device.
  if (!space || space.deletedAt !== null) return null;
  const to = pathTo('space', { workspace_slug: workspaceSlug, space_slug: space.slug });
  return (
    <>
      {' · in '}
      <Link to={to} className="underline underline-offset-2 hover:text-ink">
        {space.name}
      </Link>
    </>
  );
}

interface RowProps {
  feed: Feed;
  isOnline: boolean;
  onRemove: () => void;
  onChange: () => Promise<void>;
}

function FeedRow({ feed, isOnline, onRemove, onChange }: RowProps) {
  const { userId } = useActor();
  const owner = useMemberName(feed.ownerId);
  const params = { workspaceId: feed.workspaceId, id: feed.id };
  const check = async () => {
    const isDone = await perform(async () => {
      const { result } = await api('feed.check', { params });
      showToast(
        result.problem === null
          ? { kind: 'success', title: `“${result.title}” is up to date` }
          : { kind: 'error', title: `“${result.title}” could not be checked`, description: result.problem },
      );
    });
    if (isDone) await onChange();
  };
  const setState = async (state: Feed['state']) => {
    await perform(() => api('feed.update', { params, body: { state } }));
    await onChange();
  };
  return (
    <li className="flex items-start justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium wrap-anywhere">{feed.title}</span>
          <State feed={feed} />
        </p>
        {feed.problem !== null && <p className="wrap-anywhere text-warning">{feed.problem}</p>}
        <p className="text-xs leading-5 wrap-anywhere text-ink-muted">
          {feed.url}
          <FeedSpace spaceId={feed.spaceId} />
          {feed.ownerId !== userId && ` · followed by ${owner}`}
          {feed.checkedAt !== null && (
            <>
              {' · checked '}
              <RelativeTime at={feed.checkedAt} />
            </>
          )}
        </p>
      </div>
      <DropdownMenu
        trigger={
          <PlainIconButton label={`Actions for ${feed.title}`} icon={<Ellipsis />} disabled={!isOnline} />
        }
        entries={[
          feed.state === 'active' && { label: 'Check now', run: () => void check() },
          feed.state === 'active'
            ? { label: 'Pause', run: () => void setState('paused') }
            : { label: 'Resume', run: () => void setState('active') },
          { kind: 'line' },
          { label: 'Stop following…', tone: 'danger', run: onRemove },
        ]}
      />
    </li>
  );
}

function RemoveQuestion({ feed, onClose, onDone }: { feed: Feed; onClose: () => void; onDone: () => void }) {
  const { busy, run } = useBusy();
  const remove = async () => {
    const params = { workspaceId: feed.workspaceId, id: feed.id };
    if (await run(() => api('feed.remove', { params }))) onDone();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Stop following “${feed.title}”?`}
      confirm="Stop following"
      busy={busy}
      onConfirm={() => void remove()}
    >
      Its space and what was saved from it stay.
    </ConfirmDialog>
  );
}

function FollowFeed({ own, onFollow }: { own: number; onFollow: () => void }) {
  const isOnline = useIsOnline();
  if (!isOnline) return <p className="text-ink-muted">Feeds can be changed when you are online.</p>;
  if (own >= FEEDS_MAX)
    return <p className="text-ink-muted">You can follow {FEEDS_MAX} feeds in a workspace.</p>;
  return (
    <div>
      <Button variant="primary" onClick={onFollow}>
        Follow a feed
      </Button>
    </div>
  );
}

/** The list with its dialogs. */
export function FeedsCard({ workspaceId }: { workspaceId: Id<'workspace'> }) {
  const { known, load } = useResult('feed.list', { params: { workspaceId }, query: { perPage: 100 } });
  const [open, setOpen] = useState<'follow' | Feed>();
  const isOnline = useIsOnline();
  const { userId } = useActor();
  const close = () => setOpen(undefined);
  const closeAndLoad = () => {
    close();
    void load();
  };
  return (
    <>
      <LoadedList known={known} what="your feeds" usual={[]} onRetry={() => void load()}>
        {(feeds) => (
          <>
            <FollowFeed
              own={feeds.filter(({ ownerId }) => ownerId === userId).length}
              onFollow={() => setOpen('follow')}
            />
            {feeds.length === 0 ? (
              <EmptyState title="No feeds">
                Follow a blog or a news site, and Loci saves what it publishes.
              </EmptyState>
            ) : (
              <ul aria-label="Feeds" className="divide-y divide-line/60">
                {feeds.map((feed) => (
                  <FeedRow
                    key={feed.id}
                    feed={feed}
                    isOnline={isOnline}
                    onRemove={() => setOpen(feed)}
                    onChange={load}
                  />
                ))}
              </ul>
            )}
          </>
        )}
      </LoadedList>
      {open === 'follow' && (
        <FollowFeedDialog workspaceId={workspaceId} onClose={close} onFollowed={closeAndLoad} />
      )}
      {open !== undefined && open !== 'follow' && (
        <RemoveQuestion feed={open} onClose={close} onDone={closeAndLoad} />
      )}
    </>
  );
}

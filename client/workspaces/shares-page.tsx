/**
 * `/{workspace_slug}/settings/shares`: the content that others share with this person, with a way to leave it, and the content
 * that is shared outside the workspace. Reads and writes the replica, so it works offline.
 */
import { useMemo, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { isId } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import type { GrantResource } from '#shared/spaces/grant.ts';
import type { GrantLevel } from '#shared/spaces/grant-level.ts';
import { anonymousReads, outsidersRead, VISIBILITY, type Visibility } from '#shared/spaces/visibility.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { perform } from '#client/shell/perform.ts';
import { showToast } from '#client/shell/toasts.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { SettingsFrame, SettingsSection } from '#client/workspaces/settings-frame.tsx';
import { useActor, useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { sortedByName } from '#shared/english.ts';

interface Place {
  id: GrantResource;
  name: string;
  /** Spaces have one. */
  slug: string | undefined;
  ownerId: string;
  visibility: Visibility;
}

const LEVEL_WORDS: Readonly<Record<'space' | 'thread', Readonly<Record<GrantLevel, string>>>> = {
  space: { read: 'You can read', write: 'You can add and edit' },
  thread: { read: 'You can read', write: 'You can write messages' },
};

const kindOf = ({ id }: Pick<Place, 'id'>) => (isId('space', id) ? 'space' : 'thread');

/** Every space and thread on the device, by name. */
function usePlaces(): readonly Place[] {
  const spaces = useQuery((view) => view.list('space'), []);
  const threads = useQuery((view) => view.list('thread'), []);
  return useMemo(() => {
    const places = [
      ...spaces.map(({ id, name, slug, ownerId, visibility }) => ({ id, name, slug, ownerId, visibility })),
      ...threads.map(({ id, name, ownerId, visibility }) => ({
        id,
        name,
        slug: undefined,
        ownerId,
        visibility,
      })),
    ];
    return sortedByName(places, ({ name }) => name);
  }, [spaces, threads]);
}

function PlaceLine({ place, detail, children }: { place: Place; detail: ReactNode; children?: ReactNode }) {
  const params = { workspace_slug: useWorkspaceSlug() };
  const to =
    place.slug === undefined
      ? pathTo('thread', { ...params, thread_id: place.id })
      : pathTo('space', { ...params, space_slug: place.slug });
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="min-w-40 flex-1">
        <Link to={to} className="font-medium wrap-anywhere hover:underline">
          {place.name}
        </Link>
        <span className="flex flex-wrap gap-x-2 text-xs text-ink-muted">
          <span>{kindOf(place) === 'space' ? 'Space' : 'Thread'}</span>
          {detail}
        </span>
      </span>
      {children}
    </li>
  );
}

function WithMe({ places }: { places: readonly Place[] }) {
  const { userId, position } = useActor();
  const grants = useQuery((view) => view.list('grant'), []);
  const [leaving, setLeaving] = useState<Place>();
  const shares = places.flatMap((place) => {
    if (!VISIBILITY[place.visibility].guests || place.ownerId === userId) return [];
    const levels = grants
      .filter((row) => row.resourceId === place.id && row.userId === userId)
      .map(({ level }) => level);
    if (levels.length === 0) return [];
    const level: GrantLevel = levels.includes('write') ? 'write' : 'read';
    return [{ place, level }];
  });
  const leave = async (place: Place) => {
    const isDone = await perform(() => mutate('grant.leave', { resourceId: place.id }));
    if (!isDone) return;
    setLeaving(undefined);
    showToast({ kind: 'success', title: `You left ${place.name}` });
  };
  return (
    <>
      {shares.length === 0 ? (
        <p className="text-ink-muted">Spaces and threads that others share with you by name appear here.</p>
      ) : (
        <ul aria-label="Shared with you" className="divide-y divide-line/60">
          {shares.map(({ place, level }) => (
            <PlaceLine key={place.id} place={place} detail={<span>{LEVEL_WORDS[kindOf(place)][level]}</span>}>
              <Button size="sm" variant="quietDanger" onClick={() => setLeaving(place)}>
                Leave<span className="sr-only"> {place.name}</span>
              </Button>
            </PlaceLine>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={leaving !== undefined}
        onOpenChange={(open) => !open && setLeaving(undefined)}
        title={`Leave ${leaving?.name ?? ''}?`}
        confirm={`Leave ${leaving && kindOf(leaving) === 'thread' ? 'thread' : 'space'}`}
        onConfirm={() => leaving && void leave(leaving)}
      >
        <p>
          What was shared with you by name ends at once, on all your devices. What you wrote stays there. To
          come back, its owner has to add you again.
        </p>
        {position === 'guest' && shares.length === 1 && (
          <p className="mt-2">Nothing else of this workspace is shared with you, so it closes for you.</p>
        )}
      </ConfirmDialog>
    </>
  );
}

function BeyondMembers({ places }: { places: readonly Place[] }) {
  const open = places.filter(({ visibility }) => outsidersRead(visibility) || anonymousReads(visibility));
  if (open.length === 0) return <p className="text-ink-muted">Only members of this workspace can read it.</p>;
  return (
    <ul aria-label="Open beyond the workspace" className="divide-y divide-line/60">
      {open.map((place) => (
        <PlaceLine key={place.id} place={place} detail={<span>{VISIBILITY[place.visibility].label}</span>} />
      ))}
    </ul>
  );
}

/** The page; guests see what is shared with them and no more. */
export function SharesPage() {
  const can = useCan();
  const places = usePlaces();
  return (
    <SettingsFrame title="Shares">
      <FirstSyncNotice>
        <SettingsSection
          title="Shared with you"
          lead="What you were given by name or e-mail address. You can leave it at any time."
        >
          <WithMe places={places} />
        </SettingsSection>
        {can('workspace.read') && (
          <SettingsSection
            title="Open beyond the workspace"
            lead="Spaces and threads that guests, your organisation or the web can read. Only those that you can read are listed."
          >
            <BeyondMembers places={places} />
          </SettingsSection>
        )}
      </FirstSyncNotice>
    </SettingsFrame>
  );
}

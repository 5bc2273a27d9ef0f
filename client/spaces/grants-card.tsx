/**
 * Who can see a space or a thread, and the people that are named for it: added by address, changed and removed one by one.
 * Reads and writes the replica, so it works offline; the mail to a new guest is sent once the change has arrived.
 */
import { X } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { displayName } from '#shared/accounts/display-name.ts';
import { emailProblem, normalizeEmail } from '#shared/email-address.ts';
import { isId } from '#shared/ids.ts';
import { POSITIONS, type Position } from '#shared/permissions.ts';
import { GRANT_LEVELS, type GrantLevel } from '#shared/spaces/grant-level.ts';
import type { Grant, GrantHolder, GrantResource } from '#shared/spaces/grant.ts';
import { VISIBILITY, type Visibility } from '#shared/spaces/visibility.ts';
import { usePerson } from '#client/api/session.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { useKnown } from '#client/replica/use-known.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { perform } from '#client/shell/perform.ts';
import { useGrants } from '#client/spaces/queries.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { Input } from '#client/ui/input.tsx';
import { Select } from '#client/ui/select.tsx';
import { useActor, useMemberName, useWorkspace } from '#client/workspaces/queries.ts';
import { countOf } from '#shared/english.ts';

/** A space or a thread with what decides who sees it. */
interface SharedPlace {
  id: GrantResource;
  ownerId: string;
  visibility: Visibility;
}

const LEVEL_LABELS: Readonly<Record<'space' | 'thread', Readonly<Record<GrantLevel, string>>>> = {
  space: { read: 'Can read', write: 'Can add and edit' },
  thread: { read: 'Can read', write: 'Can write messages' },
};

/** "All members with the position Admin", and so on. */
const POSITION_GROUPS: Readonly<Record<Position, string>> = {
  owner: 'All owners',
  admin: 'All admins',
  member: 'All with the position Member',
  'read-only': 'All read-only members',
};

function positionOf(holder: string): Position | undefined {
  return POSITIONS.find((position) => position === holder);
}

function Line({
  name,
  detail,
  children,
}: {
  name: ReactNode;
  detail?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 py-1.5">
      <span className="min-w-40 flex-1 wrap-anywhere">
        {name}
        {detail !== undefined && <span className="block text-xs text-ink-muted">{detail}</span>}
      </span>
      {children}
    </li>
  );
}

function useHolderName({ holder }: Grant): string {
  const member = useMemberName(isId('user', holder) ? holder : null);
  const position = positionOf(holder);
  if (position !== undefined) return POSITION_GROUPS[position];
  return isId('user', holder) ? member : holder;
}

function GrantLine({ grant, place, editable }: { grant: Grant; place: SharedPlace; editable: boolean }) {
  const name = useHolderName(grant);
  const isMember = useKnown(
    (view) => grant.userId !== null && view.position(grant.userId) !== undefined,
    [grant.userId],
  );
  const labels = LEVEL_LABELS[isId('space', place.id) ? 'space' : 'thread'];
  const target = { resourceId: place.id, holder: grant.holder };
  const isAddress = grant.holder.includes('@');
  const change = (chosen: string) => {
    const level = GRANT_LEVELS.find((known) => known === chosen);
    if (level !== undefined) void perform(() => mutate('grant.put', { ...target, level }));
  };
  return (
    <Line
      name={name}
      {...(isAddress && grant.userId === null && { detail: 'Has not confirmed this address yet' })}
    >
      {isAddress && isMember !== undefined && <Badge>{isMember ? 'Member' : 'Guest'}</Badge>}
      {editable ? (
        <Select
          aria-label={`What ${name} can do`}
          className="w-44"
          value={grant.level}
          options={GRANT_LEVELS.map((level) => ({ value: level, label: labels[level] }))}
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <span className="text-xs text-ink-muted">{labels[grant.level]}</span>
      )}
      {editable && (
        <IconButton
          label={`Remove ${name}`}
          icon={<X />}
          onClick={() => void perform(() => mutate('grant.remove', target))}
        />
      )}
    </Line>
  );
}

/** Resolves to whether it was done. */
type AddPerson = (holder: GrantHolder, level: GrantLevel) => Promise<boolean>;

function AddGuest({ place, onAdd }: { place: SharedPlace; onAdd: AddPerson }) {
  const [address, setAddress] = useState('');
  const [level, setLevel] = useState<GrantLevel>('read');
  const [problem, setProblem] = useState<string>();
  const person = usePerson();
  const labels = LEVEL_LABELS[isId('space', place.id) ? 'space' : 'thread'];
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const holder = normalizeEmail(address)?.toLowerCase();
    setProblem(emailProblem(address));
    if (holder === undefined) return;
    if (await onAdd(holder, level)) setAddress('');
  };
  if (person?.user.emailVerified === false)
    return <p className="text-xs text-ink-muted">Confirm your e-mail address before you add people.</p>;
  return (
    <form noValidate onSubmit={(event) => void add(event)} className="flex flex-wrap items-end gap-2">
      <Field label="E-mail of a guest" error={problem} className="basis-full">
        <Input
          type="email"
          autoComplete="off"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      </Field>
      <Select
        aria-label="What the guest can do"
        className="w-44"
        value={level}
        options={GRANT_LEVELS.map((each) => ({ value: each, label: labels[each] }))}
        onChange={(event) => setLevel(event.target.value === 'write' ? 'write' : 'read')}
      />
      <Button type="submit">Add guest</Button>
    </form>
  );
}

interface AddChosenProps {
  place: SharedPlace;
  grants: readonly Grant[];
  onAdd: AddPerson;
}

/** Members and positions, which only chosen people need: elsewhere members read without being named, or not at all. */
function AddChosen({ place, grants, onAdd }: AddChosenProps) {
  const { userId } = useActor();
  const members = useQuery((view) => view.list('workspace_member'), []);
  const named = new Set<string>(grants.map(({ holder }) => holder));
  const { positions } = VISIBILITY[place.visibility];
  const options = [
    ...(positions ? POSITIONS : []).map((position) => ({
      value: position as string,
      label: POSITION_GROUPS[position],
    })),
    ...members
      .filter((member) => member.userId !== userId && member.userId !== place.ownerId)
      .map((member) => ({
        value: member.userId as string,
        label: displayName(member),
      })),
  ].filter(({ value }) => !named.has(value));
  if (options.length === 0) return null;
  const add = (chosen: string) => {
    const holder: GrantHolder | undefined = isId('user', chosen) ? chosen : positionOf(chosen);
    if (holder !== undefined) void onAdd(holder, 'read');
  };
  return (
    <Field label="Add a member">
      <Select
        value=""
        placeholder="Choose from this workspace"
        options={options}
        onChange={(event) => add(event.target.value)}
      />
    </Field>
  );
}

interface GrantsCardProps {
  place: SharedPlace;
  editable: boolean;
  /** Adds a person; at once by default. */
  onAdd?: AddPerson;
}

/** Readers of a space or thread, with controls for those who may change them. */
export function GrantsCard({
  place,
  editable,
  onAdd = (holder, level) => perform(() => mutate('grant.put', { resourceId: place.id, holder, level })),
}: GrantsCardProps) {
  const workspace = useWorkspace();
  const grants = useGrants(place.id);
  const owner = useMemberName(place.ownerId);
  const memberCount = useKnown((view) => {
    const count = view.count('workspace_member');
    return countOf(count, 'member');
  }, []);
  const rules = VISIBILITY[place.visibility];
  const counting = grants.filter(({ holder }) =>
    positionOf(holder) === undefined ? rules.guests : rules.positions,
  );
  return (
    <section aria-label="Who can see it" className="mt-5 flex flex-col gap-3">
      <h3 className="font-serif text-name">Who can see it now</h3>
      <ul aria-label="People with access" className="divide-y divide-line/60">
        <Line name={owner}>
          <Badge>Owner</Badge>
        </Line>
        {rules.workspaceReads && (
          <Line name={`Everyone in ${workspace?.name ?? 'this workspace'}`} detail={memberCount} />
        )}
        {rules.domain && workspace && (
          <Line
            name={
              workspace.domain === null
                ? 'This workspace has no e-mail domain, so no other people are included'
                : `Everyone with a confirmed address at ${workspace.domain}`
            }
          />
        )}
        {rules.anonymousReads && (
          <Line name={rules.indexable ? 'Everyone on the web' : 'Anyone who has the link'} />
        )}
        {counting.map((grant) => (
          <GrantLine key={grant.holder} grant={grant} place={place} editable={editable} />
        ))}
      </ul>
      {editable && rules.guests && (
        <>
          <AddGuest place={place} onAdd={onAdd} />
          {!rules.workspaceReads && <AddChosen place={place} grants={counting} onAdd={onAdd} />}
          <p className="text-xs text-ink-muted">
            Guests see this and nothing else of the workspace. They are told by e-mail.
          </p>
        </>
      )}
    </section>
  );
}

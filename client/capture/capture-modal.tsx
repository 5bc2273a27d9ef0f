/**
 * The capture sheet: opens with `c`, from the button, by pasting or dropping anywhere, and for shared items.
 * The same field as on the home page with a choice of space.
 */
import { Tag as TagIcon } from 'lucide-react';
import { useState } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { tag as tagSchema } from '#shared/define/fields.ts';
import { isId, type Id } from '#shared/ids.ts';
import { captureDraft } from '#client/capture/capture-draft-key.ts';
import { CaptureCard } from '#client/capture/capture-card.tsx';
import { FilePicker } from '#client/capture/file-picker.tsx';
import { pickedFiles, pickFiles } from '#client/capture/picked-files.ts';
import { PickedList } from '#client/capture/picked-list.tsx';
import { chosenTags, toggleTag } from '#client/capture/tag-chips.tsx';
import { SIZE_HINT } from '#client/capture/take-files.ts';
import { useSaveFiles } from '#client/capture/use-save-files.ts';
import { useTagCounts } from '#client/memories/queries.ts';
import { useSpace, useSpaceRights, useSpaces } from '#client/spaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { PickerList } from '#client/ui/picker-list.tsx';
import { Popover } from '#client/ui/popover.tsx';
import { useActor, useCan, useWorkspace } from '#client/workspaces/queries.ts';
import { useStore } from '#client/shell/external-store.ts';
import { useModal } from '#client/shell/modals.ts';
import { useCloseRefused } from '#client/shell/use-close-refused.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Select } from '#client/ui/select.tsx';

function SpaceSelect({
  value,
  onChange,
}: {
  value: Id<'space'> | null;
  onChange: (id: Id<'space'> | null) => void;
}) {
  const rights = useSpaceRights();
  const can = useCan();
  const spaces = useSpaces().filter((space) => rights('space.file', space));
  const mayBeNowhere = can('memory.create');
  if (spaces.length === 0) return null;
  return (
    <Select
      aria-label="Space"
      className="w-44 max-w-full"
      value={value ?? ''}
      options={[
        ...(mayBeNowhere ? [{ value: '', label: 'No space' }] : []),
        ...spaces.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={({ target }) => onChange(isId('space', target.value) ? target.value : null)}
    />
  );
}

function CaptureSheet({
  close,
  text,
  givenSpace,
}: {
  close: () => void;
  text?: string;
  givenSpace?: string;
}) {
  const workspace = useWorkspace();
  const { userId } = useActor();
  const [spaceId, setSpaceId] = useState(isId('space', givenSpace) ? givenSpace : null);
  const [round, setRound] = useState(0);
  const { files } = useStore(pickedFiles);
  const tags = useStore(chosenTags);
  const { savePicked } = useSaveFiles();
  const pick = (chosen: readonly File[]) => void pickFiles(chosen).catch(showProblem);
  return (
    <CaptureCard
      key={round}
      roomy
      focused
      draftKey={captureDraft(userId, workspace?.id ?? '')}
      given={round === 0 ? text : ''}
      givenBy={text === undefined ? 'typed' : 'pasted'}
      spaceId={spaceId}
      tags={tags}
      aside={
        <>
          <FilePicker onFiles={pick} />
          <TagButton chosen={tags} />
          <SpaceSelect value={spaceId} onChange={setSpaceId} />
        </>
      }
      onFiles={pick}
      files={{ count: files.length, save: () => savePicked(files, { spaceId, tags }), list: <PickedList /> }}
      onSaved={(again) => {
        chosenTags.set([]);
        if (again) setRound(round + 1);
        else close();
      }}
    />
  );
}

/** Once per dashboard; closed for those who may not create. */
export function CaptureModal() {
  const modal = useModal('createMemory');
  const can = useCan();
  const rights = useSpaceRights();
  const home = useSpace(modal.args?.spaceId);
  const mayAnywhere = can('memory.create');
  const mayHere = home !== undefined && rights('memory.create', home);
  useCloseRefused('createMemory', modal.open && mayAnywhere === false && !mayHere);
  return (
    <Dialog
      open={modal.open && (mayAnywhere === true || mayHere)}
      onOpenChange={modal.onOpenChange}
      title="Save a memory"
      description={`A Markdown note, links, or files. ${SIZE_HINT}. Works offline.`}
    >
      <CaptureSheet
        close={modal.close}
        {...(modal.args?.text === undefined ? {} : { text: modal.args.text })}
        {...(modal.args?.spaceId === undefined ? {} : { givenSpace: modal.args.spaceId })}
      />
    </Dialog>
  );
}

function TagChoices({ chosen }: { chosen: readonly string[] }) {
  const known = useTagCounts();
  const counts = new Map(known);
  const names = [...new Set([...chosen, ...known.map(([name]) => name)])];
  const isFull = chosen.length >= LIMITS.tagCount;
  return (
    <PickerList
      label="Tags"
      placeholder="Find or create a tag"
      options={names.map((name) => ({
        value: name,
        label: name,
        state: chosen.includes(name) ? 'on' : 'off',
        after: counts.get(name),
      }))}
      onToggle={(name) => (chosen.includes(name) || !isFull) && toggleTag(name)}
      creatable={(text) => (isFull ? undefined : tagSchema.safeParse(text).data)}
      onCreate={toggleTag}
      emptyText={isFull ? `At most ${LIMITS.tagCount} tags` : 'Type to create the first tag'}
    />
  );
}

/** `chosen` = tags chosen so far. */
function TagButton({ chosen }: { chosen: readonly string[] }) {
  return (
    <Popover
      label="Tags"
      trigger={
        <Button size="sm" variant="ghost" icon={<TagIcon />}>
          Tags
        </Button>
      }
    >
      <TagChoices chosen={chosen} />
    </Popover>
  );
}

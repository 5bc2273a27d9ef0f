/** The button of the capture sheet that opens the choice of tags. */
import { Tag as TagIcon } from 'lucide-react';
import { LIMITS } from '#shared/constants.ts';
import { tag as tagSchema } from '#shared/define/fields.ts';
import { toggleTag } from '#client/capture/tag-chips.tsx';
import { useTagCounts } from '#client/memories/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { PickerList } from '#client/ui/picker-list.tsx';
import { Popover } from '#client/ui/popover.tsx';

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
export function TagButton({ chosen }: { chosen: readonly string[] }) {
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

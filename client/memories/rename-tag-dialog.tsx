/**
 * Renames a tag on all its memories. The name of another tag merges the two. Memories that the person may not change
 * stay as they are, and the dialog says how many.
 */
import { countMemories } from '#shared/english.ts';
import { useState, type FormEvent } from 'react';
import { tag as tagSchema } from '#shared/define/fields.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { renameTag } from '#client/memories/actions.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

interface RenameTagDialogProps {
  tag: string;
  /** All tags of the workspace and the number of their memories. */
  counts: readonly (readonly [tag: string, count: number])[];
  /** The memories that are changed. */
  rows: readonly MemoryHead[];
  onClose: () => void;
}

const FORM = 'rename-tag';

/** Open while it is rendered. */
export function RenameTagDialog({ tag, counts, rows, onClose }: RenameTagDialogProps) {
  const [text, setText] = useState(tag);
  const [problem, setProblem] = useState<string>();
  const name = tagSchema.safeParse(text).data;
  const known = new Map(counts);
  const merged = name === undefined || name === tag ? undefined : known.get(name);
  const left = (known.get(tag) ?? 0) - rows.length;
  const send = (event: FormEvent) => {
    event.preventDefault();
    const { data: to, error } = tagSchema.safeParse(text);
    if (to === undefined) return setProblem(error?.issues[0]?.message);
    onClose();
    if (to !== tag) void renameTag(rows, tag, to);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={`Rename “${tag}”`}
      description={`On ${countMemories(rows.length)}.${left > 0 ? ` You cannot edit ${countMemories(left)} with this tag, which will keep it.` : ''}`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={FORM} variant="primary">
            {merged === undefined ? 'Rename tag' : 'Merge tags'}
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={send}>
        <Field
          label="Name"
          error={problem}
          hint={
            merged === undefined
              ? undefined
              : `“${name}” already exists on ${countMemories(merged)}. The two tags become one.`
          }
        >
          <Input
            value={text}
            autoComplete="off"
            autoCapitalize="none"
            onChange={(event) => {
              setText(event.target.value);
              setProblem(undefined);
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}

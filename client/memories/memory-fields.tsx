/**
 * Title and description of a memory, edited in place. They look like text, behave like fields and save while typing.
 */
import { useMemo } from 'react';
import { LIMITS } from '#shared/constants.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { perform } from '#client/shell/perform.ts';
import type { AutosaveTarget } from '#client/memories/autosave.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import { useAutosave } from '#client/memories/use-autosave.ts';
import { Textarea } from '#client/ui/textarea.tsx';

type FieldName = 'title' | 'description';

const FIELDS = {
  title: {
    label: 'Title',
    placeholder: 'Title',
    className: 'font-serif text-title! text-balance',
  },
  description: {
    label: 'Description',
    placeholder: 'Add a description',
    className: 'text-ink-muted',
  },
} as const;

function EditableField({ row, name }: { row: MemoryHead; name: FieldName }) {
  const before = row[name];
  const stored = before ?? '';
  const target = useMemo(
    (): AutosaveTarget => ({
      stored,
      version: null,
      save: async (text) => {
        const value = text.trim() === '' ? null : text;
        const isDone = await perform(() =>
          mutate('memory.update', { id: row.id, [name]: value, base: { [name]: before } }),
        );
        return isDone ? { version: null } : undefined;
      },
    }),
    [stored, before, row.id, name],
  );
  const field = useAutosave(`memory/${row.id}/${name}`, target);
  const { label, placeholder, className } = FIELDS[name];
  return (
    <Textarea
      bare
      aria-label={label}
      placeholder={name === 'title' && row.title === null ? memoryTitle(row) : placeholder}
      minRows={1}
      maxRows={12}
      maxLength={LIMITS[name]}
      value={field.text}
      onChange={(event) =>
        field.change(name === 'title' ? event.target.value.replaceAll('\n', ' ') : event.target.value)
      }
      onKeyDown={(event) => {
        if (name === 'title' && event.key === 'Enter') event.preventDefault();
      }}
      onBlur={field.flush}
      className={className}
    />
  );
}

/** Both fields, or plain text for those who may only read. */
export function MemoryFields({ row, editable }: { row: MemoryHead; editable: boolean }) {
  if (editable) {
    return (
      <div className="flex flex-col gap-1">
        <EditableField key={`${row.id}/title`} row={row} name="title" />
        <EditableField key={`${row.id}/description`} row={row} name="description" />
      </div>
    );
  }
  return (
    <div>
      <p className="font-serif text-title text-balance break-words">{memoryTitle(row)}</p>
      {row.description !== null && <p className="mt-1 text-ink-muted">{row.description}</p>}
    </div>
  );
}

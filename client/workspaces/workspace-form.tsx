/**
 * Name and description of the workspace: a mutation, so it works offline.
 * Read as text by those who may not change them.
 */
import { useState, type FormEvent } from 'react';
import { LIMITS } from '#shared/constants.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useActor } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { RestoredDraftNote } from '#client/ui/restored-draft-note.tsx';
import { Input } from '#client/ui/input.tsx';
import { Textarea } from '#client/ui/textarea.tsx';

/** Typed values stay in the fields when saving fails. */
export function WorkspaceForm({ workspace }: { workspace: Workspace }) {
  const { userId } = useActor();
  const [name, setName] = useState(workspace.name);
  const [description, setDescription] = useState(workspace.description ?? '');
  const changed = name.trim() !== workspace.name || description.trim() !== (workspace.description ?? '');
  const draft = useFormDraft(
    `workspace/${userId}/${workspace.id}`,
    changedFields({ name, description }, { name: workspace.name, description: workspace.description ?? '' }),
    (fields) => {
      setName(fields['name'] ?? name);
      setDescription(fields['description'] ?? description);
    },
  );
  const startOver = () => {
    setName(workspace.name);
    setDescription(workspace.description ?? '');
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    mutate('workspace.update', {
      name: name.trim(),
      description: description.trim() || null,
      base: { name: workspace.name, description: workspace.description },
    }).then(() => showToast({ title: 'Saved', kind: 'success' }), showProblem);
  };
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      {draft.restored && changed && <RestoredDraftNote onDiscard={startOver} />}
      <Field label="Name" error={name.trim() === '' ? 'Required' : undefined}>
        <Input value={name} maxLength={LIMITS.name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label="Description" hint="Shown on the public page of the workspace, if it has one.">
        <Textarea
          value={description}
          maxLength={LIMITS.description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      <div>
        <Button type="submit" variant="primary" disabled={!changed || name.trim() === ''}>
          Save
        </Button>
      </div>
    </form>
  );
}

/**
 * Name, description, address, colour and audience of a space, for a new one and for changing one. Validates while typing;
 * requires a confirmation before people outside the workspace can see it. The caller saves.
 */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { hueOf } from '#shared/spaces/space-looks.ts';
import { space, type Space } from '#shared/spaces/space.ts';
import { anonymousReads, VISIBILITY, VISIBILITIES, type Visibility } from '#shared/spaces/visibility.ts';
import type { Known } from '#client/replica/use-known.ts';
import { useSpaces, useMayList } from '#client/spaces/queries.ts';
import { SPACE_SWATCHES } from '#client/spaces/space-color.ts';
import { suggestSpaceSlug, useSlugTaken } from '#client/spaces/space-slug.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { Select } from '#client/ui/select.tsx';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { ColorSwatchPicker } from '#client/ui/color-swatch-picker.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { DialogFormFoot } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { RestoredDraftNote } from '#client/ui/restored-draft-note.tsx';
import { Input } from '#client/ui/input.tsx';
import { Textarea } from '#client/ui/textarea.tsx';
import { countOf } from '#shared/english.ts';

const { shape } = space.row;
const schema = z.object({
  name: shape.name,
  description: shape.description.unwrap(),
  slug: shape.slug,
  color: shape.color,
  visibility: shape.visibility,
});

/** Values of the form; an empty description means none. */
export type SpaceFormValues = z.input<typeof schema>;

const FIELDS = ['name', 'description', 'slug', 'color', 'visibility'] as const;

function isField(name: string): name is (typeof FIELDS)[number] {
  return FIELDS.some((field) => field === name);
}

interface SpaceFormProps {
  /** Key under which the typed values are stored until they are saved. */
  draftKey: string;
  initial: SpaceFormValues;
  /** The space being changed; undefined for a new one. */
  own?: Space;
  /** Memories that a wider audience would get to see. */
  memoryCount: Known<number>;
  publishable: boolean;
  submit: string;
  onCancel: () => void;
  /** Resolves to whether it is saved. */
  onSave: (values: SpaceFormValues) => Promise<boolean>;
}

function exposure(count: Known<number>): string {
  if (count === 0) return 'Memories added later will be shown as well.';
  const what =
    count === undefined ? 'Its memories become' : countOf(count, 'memory becomes', 'memories become');
  return `${what} visible with title, description, summary, tags and address. Notes stay private.`;
}

/** The form with its buttons, for the body of a dialog. */
export function SpaceForm(props: SpaceFormProps) {
  const { draftKey, own, memoryCount, publishable, submit, onCancel, onSave } = props;
  // As it was when the form opened: a change that arrives meanwhile is not this person's typing.
  const [initial] = useState(props.initial);
  const [asking, setAsking] = useState<SpaceFormValues>();
  const [slugIsOwn, setSlugIsOwn] = useState(own !== undefined);
  const [colorIsOwn, setColorIsOwn] = useState(own !== undefined);
  const workspaceSlug = useWorkspaceSlug();
  const spaces = useSpaces();
  const { register, handleSubmit, setValue, setError, reset, formState, control } = useForm<SpaceFormValues>({
    resolver: zodResolver(schema),
    mode: 'onChange',
    defaultValues: initial,
  });
  const { errors, isSubmitting } = formState;
  const values = useWatch({ control, compute: (all: SpaceFormValues) => all });
  const { slug, color, visibility } = values;
  const isTaken = useSlugTaken({ workspaceSlug, slug, ownId: own?.id, spaces });
  const typed = changedFields(values, initial);
  const draft = useFormDraft(draftKey, typed, (fields) => {
    for (const [field, value] of Object.entries(schema.partial().catch({}).parse(fields)))
      if (isField(field)) setValue(field, value, { shouldDirty: true });
    if (fields['slug'] !== undefined) setSlugIsOwn(true);
    if (fields['color'] !== undefined) setColorIsOwn(true);
  });
  const takenText = 'Another space already uses this address';
  const save = async (wanted: SpaceFormValues) => {
    if (await onSave(wanted)) draft.drop();
  };
  const send = handleSubmit(async (values) => {
    if (isTaken) return setError('slug', { message: takenText }, { shouldFocus: true });
    const widens = anonymousReads(values.visibility) && !anonymousReads(initial.visibility);
    return widens ? setAsking(values) : save(values);
  });
  const startOver = () => {
    reset(initial);
    setSlugIsOwn(own !== undefined);
    setColorIsOwn(own !== undefined);
  };
  const nameField = register('name', {
    onChange: (event: { target: { value: string } }) => {
      const name = event.target.value;
      if (!slugIsOwn) setValue('slug', suggestSpaceSlug(name, spaces), { shouldValidate: true });
      if (!colorIsOwn) setValue('color', hueOf(name));
    },
  });
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
      {draft.restored && typed !== undefined && <RestoredDraftNote onDiscard={startOver} />}
      <Field label="Name" required error={errors.name?.message}>
        <Input {...nameField} autoComplete="off" placeholder="Reading list" />
      </Field>
      <Field
        label="Description"
        aside={<span className="text-xs text-ink-faint">Optional</span>}
        error={errors.description?.message}
      >
        <Textarea {...register('description')} minRows={2} maxRows={6} />
      </Field>
      <Field
        label="Address"
        required
        error={errors.slug?.message ?? (isTaken ? takenText : undefined)}
        hint={
          <span className="break-all">
            {location.host}/{workspaceSlug}/spaces/{slug || '…'}
            {own && slug !== own.slug && '. The old address leads here for 90 days.'}
          </span>
        }
      >
        <Input
          {...register('slug', { onChange: () => setSlugIsOwn(true) })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <ColorSwatchPicker
        label="Colour"
        swatches={SPACE_SWATCHES}
        value={color}
        onValueChange={(next) => {
          setValue('color', next);
          setColorIsOwn(true);
        }}
      />
      <VisibilitySelect
        value={visibility}
        publishable={publishable}
        onValueChange={(next) => setValue('visibility', next)}
      />
      <DialogFormFoot>
        <Button
          onClick={() => {
            startOver();
            draft.drop();
            onCancel();
          }}
        >
          Cancel
        </Button>
        <Button type="submit" variant="primary" loading={isSubmitting}>
          {submit}
        </Button>
      </DialogFormFoot>
      <ConfirmDialog
        open={asking !== undefined}
        onOpenChange={() => setAsking(undefined)}
        title={`Show to ${visibility === 'public' ? 'everyone on the web' : 'anyone with the link'}?`}
        confirm="Save and publish"
        tone="primary"
        onConfirm={() => {
          if (asking) void save(asking);
          setAsking(undefined);
        }}
      >
        {VISIBILITY[visibility].description} {exposure(memoryCount)}
      </ConfirmDialog>
    </form>
  );
}

interface VisibilitySelectProps {
  value: Visibility;
  onValueChange: (value: Visibility) => void;
  /** May be shown to people outside the workspace. */
  publishable: boolean;
}

/**
 * Values that need a right this person lacks cannot be chosen; one that is set already is always shown. A native list with
 * the value's sentence below it.
 */
function VisibilitySelect({ value, onValueChange, publishable }: VisibilitySelectProps) {
  const listable = useMayList();
  const options = VISIBILITIES.map((known) => ({
    value: known,
    label: VISIBILITY[known].label,
    disabled:
      known !== value &&
      ((anonymousReads(known) && !publishable) || (VISIBILITY[known].indexable && !listable)),
  }));
  const choose = (chosen: string) => {
    const known = VISIBILITIES.find((candidate) => candidate === chosen);
    if (known) onValueChange(known);
  };
  return (
    <Field label="Who can see it" hint={VISIBILITY[value].description}>
      <Select value={value} options={options} onChange={(event) => choose(event.target.value)} />
    </Field>
  );
}

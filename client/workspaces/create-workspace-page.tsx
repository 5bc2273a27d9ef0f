/**
 * `/onboarding/create-workspace`: name and address of a new workspace, the first one or one more.
 * The address follows the name until the person changes it; its rules are checked while typing, whether it is free by the server.
 */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { Link, useNavigate } from 'react-router';
import { z } from 'zod';
import { LIMITS } from '#shared/constants.ts';
import { slugify } from '#shared/define/fields.ts';
import { ERRORS } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import { workspace, workspaceSlug } from '#shared/workspaces/workspace.ts';
import { ReceivedInvitesCard } from '#client/accounts/received-invites-card.tsx';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { lastWorkspace, refreshPerson, rememberWorkspace, usePerson } from '#client/api/session.ts';
import { safeRedirect } from '#client/api/return-decision.ts';
import { openImport } from '#client/shell/import-state.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { takeReturn } from '#client/shell/return-path.ts';
import { DeletedWorkspaces } from '#client/workspaces/deleted-workspaces.tsx';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { Input } from '#client/ui/input.tsx';
import { RadioList, type RadioOption } from '#client/ui/radio-list.tsx';

const schema = z.object({ name: workspace.row.shape.name, slug: workspaceSlug });
type NewWorkspace = z.input<typeof schema>;
const EMPTY: NewWorkspace = { name: '', slug: '' };

/** An address derived from a name, without reserved words. */
export function suggestSlug(name: string): string {
  if (name.trim() === '') return '';
  const slug = slugify(name);
  if (workspaceSlug.safeParse(slug).success) return slug;
  return `${slug.slice(0, LIMITS.slugMax - '-space'.length)}-space`;
}

type Beginning = 'empty' | 'sample' | 'import';

const BEGINNINGS: readonly RadioOption<Beginning>[] = [
  { value: 'empty', label: 'Nothing' },
  { value: 'sample', label: 'A sample space', hint: 'A few memories that show how things work.' },
  {
    value: 'import',
    label: 'My notes',
    hint: 'Import notes, bookmarks or an export of another product in the next step.',
  },
];

/** The workspace is there without it, so a failure is said and stops nothing. */
async function addSample(workspaceId: Id<'workspace'>): Promise<void> {
  try {
    await api('workspace.add_sample', { params: { workspaceId } });
  } catch (failure) {
    showProblem(failure);
  }
}

export function CreateWorkspacePage() {
  const navigate = useNavigate();
  const person = usePerson();
  const [beginning, setBeginning] = useState<Beginning>('empty');
  const [back] = useState(() => lastWorkspace()?.slug);
  const form = useForm<NewWorkspace>({
    resolver: zodResolver(schema),
    mode: 'onChange',
    defaultValues: EMPTY,
  });
  const { register, handleSubmit, setValue, setError, formState, control } = form;
  // An address that the person changed is dirty; one that follows the name is not.
  const { errors, isSubmitting, dirtyFields } = formState;
  const values = useWatch({ control, compute: (all: NewWorkspace) => all });
  const draft = useFormDraft(`new-workspace/${person?.user.id}`, changedFields(values, EMPTY), (fields) => {
    const { name = '', slug = '' } = fields;
    setValue('name', name);
    setValue('slug', slug, { shouldValidate: slug !== '', shouldDirty: slug !== suggestSlug(name) });
  });
  const send = handleSubmit(async (body) => {
    try {
      const { result } = await api('workspace.create', { body });
      draft.drop();
      if (beginning === 'sample') await addSample(result.id);
      rememberWorkspace(result.id);
      await refreshPerson();
      const home = pathTo('workspace_home', { workspace_slug: result.slug });
      await navigate(safeRedirect(takeReturn()) ?? home, { replace: true });
      if (beginning === 'import') openImport();
    } catch (failure) {
      const isTaken = failure instanceof ApiProblem && failure.status === ERRORS.conflict.status;
      if (isTaken) setError('slug', { message: failure.error.detail }, { shouldFocus: true });
      else showProblem(failure);
    }
  });
  return (
    <FormCard
      title="Create a workspace"
      lead="A place for everything you save, alone or with others."
      foot={
        back === undefined ? undefined : (
          <Link
            to={pathTo('workspace_home', { workspace_slug: back })}
            className="font-medium text-primary hover:underline"
          >
            Back to your workspace
          </Link>
        )
      }
    >
      <ReceivedInvitesCard />
      <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        <Field label="Name" required error={errors.name?.message}>
          <Input
            {...register('name', {
              onChange: (event: { target: { value: string } }) => {
                if (dirtyFields.slug) return;
                setValue('slug', suggestSlug(event.target.value), {
                  shouldValidate: event.target.value !== '',
                });
              },
            })}
            autoComplete="organization"
            placeholder="My memories"
          />
        </Field>
        <Field
          label="Address"
          required
          error={errors.slug?.message}
          hint={`${location.host}/${values.slug || 'my-memories'}`}
        >
          <Input {...register('slug')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Field>
        <RadioList label="Start with" options={BEGINNINGS} value={beginning} onValueChange={setBeginning} />
        <Button type="submit" variant="primary" size="lg" block loading={isSubmitting}>
          Create workspace
        </Button>
      </form>
      <DeletedWorkspaces />
    </FormCard>
  );
}

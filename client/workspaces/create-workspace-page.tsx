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
import { pathTo } from '#shared/pages.ts';
import { workspace, workspaceSlug } from '#shared/workspaces/workspace.ts';
import { ReceivedInvitesCard } from '#client/accounts/received-invites-card.tsx';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { lastWorkspace, refreshPerson, rememberWorkspace, usePerson } from '#client/api/session.ts';
import { safeRedirect } from '#client/api/return-decision.ts';
import { openImport } from '#client/shell/import-state.ts';
import { perform } from '#client/shell/perform.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { takeReturn } from '#client/shell/return-path.ts';
import { DeletedWorkspaces } from '#client/workspaces/deleted-workspaces.tsx';
import { CardForm } from '#client/ui/card-form.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { Input } from '#client/ui/input.tsx';
import { RadioList, type RadioOption } from '#client/ui/radio-list.tsx';

const schema = z.object({ name: workspace.row.shape.name, slug: workspaceSlug });
type NewWorkspace = z.input<typeof schema>;

/** An address derived from a name, without reserved words. */
export function suggestSlug(name: string): string {
  if (name.trim() === '') return '';
  const slug = slugify(name.replaceAll(/['’]/g, ''));
  if (workspaceSlug.safeParse(slug).success) return slug;
  return `${slug.slice(0, LIMITS.slugMax - '-space'.length)}-space`;
}

type Beginning = 'empty' | 'sample' | 'import';

const BEGINNINGS: readonly RadioOption<Beginning>[] = [
  { value: 'sample', label: 'A sample space', hint: 'A few memories that show how things work.' },
  {
    value: 'import',
    label: 'My notes',
    hint: 'Import notes, bookmarks or an export of another product in the next step.',
  },
  { value: 'empty', label: 'Nothing' },
];

/** Further addresses that are tried where the one that follows from the name is in use. */
const OTHER_ADDRESSES = [2, 3, 4, 5];

/** The first workspace is named after its person. */
function firstNameOf(forename: string | null | undefined): NewWorkspace {
  const name = forename ? `${forename}’s memories`.slice(0, LIMITS.name) : '';
  return { name, slug: suggestSlug(name) };
}

/** @throws the conflict where the address is in use, and so are others like it that may be tried */
async function create(body: NewWorkspace, mayDiffer: boolean) {
  const others = mayDiffer
    ? OTHER_ADDRESSES.map((number) => `${body.slug.slice(0, LIMITS.slugMax - 2)}-${number}`)
    : [];
  for (const [index, slug] of [body.slug, ...others].entries()) {
    try {
      return await api('workspace.create', { body: { ...body, slug } });
    } catch (failure) {
      if (!isTaken(failure) || index === others.length) throw failure;
    }
  }
  throw new Error('An address is tried at least');
}

const isTaken = (failure: unknown): failure is ApiProblem =>
  failure instanceof ApiProblem && failure.status === ERRORS.conflict.status;

export function CreateWorkspacePage() {
  const navigate = useNavigate();
  const person = usePerson();
  const [back] = useState(() => lastWorkspace()?.slug);
  const [beginning, setBeginning] = useState<Beginning>(back === undefined ? 'sample' : 'empty');
  const [suggested] = useState(() => firstNameOf(back === undefined ? person?.user.forename : undefined));
  const form = useForm<NewWorkspace>({
    resolver: zodResolver(schema),
    mode: 'onChange',
    defaultValues: suggested,
  });
  const { register, handleSubmit, setValue, setError, formState, control } = form;
  // An address that the person changed is dirty; one that follows the name is not.
  const { errors, isSubmitting, dirtyFields } = formState;
  const values = useWatch({ control, compute: (all: NewWorkspace) => all });
  const draft = useFormDraft(
    `new-workspace/${person?.user.id}`,
    changedFields(values, suggested),
    (fields) => {
      const { name = suggested.name, slug = suggested.slug } = fields;
      setValue('name', name);
      setValue('slug', slug, { shouldValidate: slug !== '', shouldDirty: slug !== suggestSlug(name) });
    },
  );
  const send = handleSubmit(async (body) => {
    try {
      const { result } = await create(body, dirtyFields.slug !== true);
      draft.drop();
      // The workspace is there without it, so a failure is said and stops nothing.
      if (beginning === 'sample')
        await perform(() => api('workspace.add_sample', { params: { workspaceId: result.id } }));
      rememberWorkspace(result.id);
      await refreshPerson();
      const home = pathTo('workspace_home', { workspace_slug: result.slug });
      await navigate(safeRedirect(takeReturn()) ?? home, { replace: true });
      if (beginning === 'import') openImport();
    } catch (failure) {
      if (isTaken(failure)) setError('slug', { message: failure.error.detail }, { shouldFocus: true });
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
      <CardForm onSubmit={send} submit="Create workspace" busy={isSubmitting}>
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
      </CardForm>
      <DeletedWorkspaces />
    </FormCard>
  );
}

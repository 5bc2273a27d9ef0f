/**
 * How the person is called: real name for the members of their workspaces, user name for public pages.
 * The server changes it, in every workspace at once, so it needs a network.
 */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import type { User } from '#shared/accounts/user.ts';
import { LIMITS } from '#shared/constants.ts';
import { nameText, text } from '#shared/define/fields.ts';
import { ERRORS } from '#shared/errors.ts';
import { refusalText } from '#client/accounts/use-sign-in.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { refreshPerson } from '#client/api/session.ts';
import { showToast } from '#client/shell/toasts.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Input } from '#client/ui/input.tsx';
import { RestoredDraftNote } from '#client/ui/restored-draft-note.tsx';

const schema = z.object({
  forename: nameText,
  surname: text(LIMITS.name).trim(),
  username: text(LIMITS.name).trim(),
});
type Names = z.input<typeof schema>;

const namesOf = (user: User): Names => ({
  forename: user.forename ?? '',
  surname: user.surname ?? '',
  username: user.username ?? '',
});

/** Three fields and a button; the typed values stay when saving fails. */
export function NameForm({ user }: { user: User }) {
  const stored = namesOf(user);
  const [problem, setProblem] = useState<string>();
  const { register, handleSubmit, formState, control, setValue, setError, reset } = useForm<Names>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: stored,
  });
  const values = useWatch({ control, compute: (all: Names) => all });
  const changed = changedFields(values, stored);
  const draft = useFormDraft(`account/${user.id}`, changed, (fields) => {
    setValue('forename', fields['forename'] ?? stored.forename);
    setValue('surname', fields['surname'] ?? stored.surname);
    setValue('username', fields['username'] ?? stored.username);
  });
  const send = handleSubmit(async ({ forename, surname, username }) => {
    setProblem(undefined);
    try {
      const body = { forename, surname: surname || null, username: username || null };
      const { result } = await api('auth.update', { body });
      draft.drop();
      reset(namesOf(result));
      await refreshPerson();
      showToast({ title: 'Saved', kind: 'success' });
    } catch (failure) {
      const isTaken = failure instanceof ApiProblem && failure.status === ERRORS.conflict.status;
      if (isTaken) setError('username', { message: 'This user name is taken' });
      else setProblem(refusalText(failure));
    }
  });
  const { errors, isSubmitting } = formState;
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
      {draft.restored && changed !== undefined && <RestoredDraftNote onDiscard={() => reset(stored)} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" required error={errors.forename?.message}>
          <Input {...register('forename')} autoComplete="given-name" />
        </Field>
        <Field label="Last name" hint="Optional" error={errors.surname?.message}>
          <Input {...register('surname')} autoComplete="family-name" />
        </Field>
      </div>
      <Field
        label="User name"
        hint="Optional. Shown as the author on public pages. If you leave it empty, no author is shown."
        error={errors.username?.message}
      >
        <Input {...register('username')} autoComplete="username" autoCapitalize="none" spellCheck={false} />
      </Field>
      <FormProblem text={problem} />
      <div>
        <Button type="submit" variant="primary" disabled={changed === undefined} loading={isSubmitting}>
          Save name
        </Button>
      </div>
    </form>
  );
}

/**
 * `/onboarding/profile`: how a person is called. It follows the proof of the address, also where that was put off.
 */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { Navigate, useNavigate } from 'react-router';
import { z } from 'zod';
import { nameText } from '#shared/define/fields.ts';
import { user } from '#shared/accounts/user.ts';
import { stepAfterProof } from '#client/accounts/next-step.ts';
import { useRefusal } from '#client/accounts/use-refusal.ts';
import { api } from '#client/api/session-client.ts';
import { lastWorkspace, refreshPerson, usePerson } from '#client/api/session.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { CardForm } from '#client/ui/card-form.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { Input } from '#client/ui/input.tsx';

const schema = z.object({ forename: nameText, surname: user.row.shape.surname.unwrap() });
type Profile = z.input<typeof schema>;

/** The page; the fields show the names that are already stored. */
export function ProfilePage() {
  const navigate = useNavigate();
  const person = usePerson();
  // Who has a name already is past this step.
  const [done] = useState(() => Boolean(person?.user.forename));
  const { problem, attempt } = useRefusal();
  const [stored] = useState<Profile>(() => ({
    forename: person?.user.forename ?? '',
    surname: person?.user.surname ?? '',
  }));
  const { register, handleSubmit, formState, control, setValue } = useForm<Profile>({
    resolver: zodResolver(schema),
    defaultValues: stored,
  });
  const values = useWatch({ control, compute: (all: Profile) => all });
  const draft = useFormDraft(`profile/${person?.user.id}`, changedFields(values, stored), (fields) => {
    setValue('forename', fields['forename'] ?? stored.forename);
    setValue('surname', fields['surname'] ?? stored.surname);
  });
  const send = handleSubmit(({ forename, surname }) =>
    attempt(async () => {
      await api('auth.update', { body: { forename, surname: surname === '' ? null : surname } });
      draft.drop();
      await navigate(stepAfterProof(await refreshPerson(), lastWorkspace()), { replace: true });
    }),
  );
  if (done && person) return <Navigate to={stepAfterProof(person, lastWorkspace())} replace />;
  return (
    <FormCard title="What is your name?" lead="People in your workspaces see this name.">
      <CardForm onSubmit={send} problem={problem} submit="Continue" busy={formState.isSubmitting}>
        <Field label="First name" required error={formState.errors.forename?.message}>
          <Input {...register('forename')} autoComplete="given-name" />
        </Field>
        <Field label="Last name" hint="Optional" error={formState.errors.surname?.message}>
          <Input {...register('surname')} autoComplete="family-name" />
        </Field>
      </CardForm>
    </FormCard>
  );
}

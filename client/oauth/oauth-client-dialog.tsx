/** Registering an OAuth client of the workspace, or changing its description. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { LIMITS } from '#shared/constants.ts';
import { OAUTH } from '#shared/oauth/limits.ts';
import { nameText, text } from '#shared/define/fields.ts';
import type { Id } from '#shared/ids.ts';
import { redirectProblem } from '#shared/oauth/redirect-uri.ts';
import { problemOf } from '#client/api/field-problem.ts';
import { api } from '#client/api/session-client.ts';
import type { ManagedClient, Registered } from '#client/oauth/managed-client.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFormFoot } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Input } from '#client/ui/input.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';
import { Textarea } from '#client/ui/textarea.tsx';

/** An address, or nothing. */
const link = text(LIMITS.url)
  .trim()
  .refine(
    (value) => value === '' || /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
    'Enter an https address',
  );

const linesOf = (value: string): string[] => value.split('\n').flatMap((line) => line.trim() || []);

const schema = z.object({
  name: nameText,
  description: text(LIMITS.description),
  websiteUrl: link,
  privacyPolicyUrl: link,
  termsOfServiceUrl: link,
  redirects: z.string().superRefine((value, context) => {
    const lines = linesOf(value);
    if (lines.length === 0) context.addIssue('Enter at least one redirect address');
    if (lines.length > OAUTH.redirectUrisMax) {
      context.addIssue(`Enter at most ${OAUTH.redirectUrisMax} redirect addresses`);
    }
    for (const line of lines) {
      const problem = redirectProblem(line);
      if (problem !== undefined) context.addIssue(`${line} ${problem}`);
    }
  }),
  kind: z.enum(['confidential', 'public']),
});
type Fields = z.input<typeof schema>;

const KINDS = [
  { value: 'confidential', label: 'Runs on a server', hint: 'Gets a secret and proves itself with it.' },
  {
    value: 'public',
    label: 'Runs on devices or in browsers',
    hint: 'Has no secret, because it could not keep one.',
  },
] as const;

interface OauthClientDialogProps {
  workspaceId: Id<'workspace'>;
  /** The client to change; undefined registers a new one. */
  client: ManagedClient | undefined;
  onClose: () => void;
  onSaved: (registered: Registered | undefined) => void;
}

export function OauthClientDialog({ workspaceId, client, onClose, onSaved }: OauthClientDialogProps) {
  const [problem, setProblem] = useState<string>();
  const { register, handleSubmit, formState, control } = useForm<Fields>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: {
      name: client?.name ?? '',
      description: client?.description ?? '',
      websiteUrl: client?.websiteUrl ?? '',
      privacyPolicyUrl: client?.privacyPolicyUrl ?? '',
      termsOfServiceUrl: client?.termsOfServiceUrl ?? '',
      redirects: client?.redirectUris.join('\n') ?? '',
      kind: 'confidential',
    },
  });
  const { errors } = formState;
  const send = handleSubmit(async ({ redirects, kind, name, ...texts }) => {
    setProblem(undefined);
    const said = {
      name,
      description: texts.description === '' ? null : texts.description,
      email: client?.email ?? null,
      logoUrl: client?.logoUrl ?? null,
      websiteUrl: texts.websiteUrl === '' ? null : texts.websiteUrl,
      privacyPolicyUrl: texts.privacyPolicyUrl === '' ? null : texts.privacyPolicyUrl,
      termsOfServiceUrl: texts.termsOfServiceUrl === '' ? null : texts.termsOfServiceUrl,
      redirectUris: linesOf(redirects),
    };
    try {
      if (client) {
        await api('oauth_client.update', { params: { workspaceId, id: client.id }, body: said });
        onSaved(undefined);
        return;
      }
      const body = { workspaceId, confidential: kind === 'confidential', ...said };
      const { result } = await api('oauth_client.create', { body });
      onSaved({ name: result.name, id: result.id, secret: result.secret });
    } catch (failure) {
      setProblem(problemOf(failure, []).text);
    }
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={client ? `Edit ${client.name}` : 'Register an OAuth client'}
      description="People see this when the app asks for access."
    >
      <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        <Field label="Name" required error={errors.name?.message}>
          <Input {...register('name')} autoComplete="off" />
        </Field>
        <Field
          label="Redirect addresses"
          required
          hint="One per line, exactly as the app sends them: https, or http on this device."
          error={errors.redirects?.message}
        >
          <Textarea
            {...register('redirects')}
            spellCheck={false}
            placeholder="https://app.example/callback"
          />
        </Field>
        {!client && (
          <Controller
            control={control}
            name="kind"
            render={({ field }) => (
              <RadioList
                label="Kind of app"
                options={KINDS}
                value={field.value}
                onValueChange={field.onChange}
              />
            )}
          />
        )}
        <Field label="Description" hint="Optional" error={errors.description?.message}>
          <Textarea {...register('description')} minRows={2} />
        </Field>
        <Field label="Website" hint="Optional" error={errors.websiteUrl?.message}>
          <Input {...register('websiteUrl')} type="url" inputMode="url" autoComplete="off" />
        </Field>
        <Field label="Privacy policy" hint="Optional" error={errors.privacyPolicyUrl?.message}>
          <Input {...register('privacyPolicyUrl')} type="url" inputMode="url" autoComplete="off" />
        </Field>
        <Field label="Terms of service" hint="Optional" error={errors.termsOfServiceUrl?.message}>
          <Input {...register('termsOfServiceUrl')} type="url" inputMode="url" autoComplete="off" />
        </Field>
        <FormProblem text={problem} />
        <DialogFormFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" loading={formState.isSubmitting}>
            {client ? 'Save changes' : 'Register client'}
          </Button>
        </DialogFormFoot>
      </form>
    </Dialog>
  );
}

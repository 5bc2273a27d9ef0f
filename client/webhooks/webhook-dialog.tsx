/** Adding a webhook, or changing where and what one sends. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { LIMITS } from '#shared/constants.ts';
import { text, webUrl } from '#shared/define/fields.ts';
import type { Id } from '#shared/ids.ts';
import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '#shared/webhooks/webhook.ts';
import { problemOf } from '#client/api/field-problem.ts';
import { api } from '#client/api/session-client.ts';
import { useActor, useMemberName } from '#client/workspaces/queries.ts';
import { CHOOSABLE_EVENTS, EVENT_LABELS } from '#client/webhooks/event-words.ts';
import { Button } from '#client/ui/button.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Dialog, DialogFormFoot } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Input } from '#client/ui/input.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';

const schema = z
  .object({
    url: text(LIMITS.url).trim().min(1, 'Required').pipe(webUrl),
    description: text(LIMITS.name).trim(),
    which: z.enum(['all', 'chosen']),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
  })
  .refine(({ which, events }) => which === 'all' || events.length > 0, {
    path: ['events'],
    error: 'Choose at least one event',
  });
type Fields = z.input<typeof schema>;

const WHICH = [
  { value: 'all', label: 'All events', hint: 'Every change that you can see in this workspace.' },
  { value: 'chosen', label: 'Chosen events' },
] as const;

function EventBoxes({
  chosen,
  onChange,
}: {
  chosen: readonly WebhookEvent[];
  onChange: (next: WebhookEvent[]) => void;
}) {
  return (
    <fieldset className="flex flex-col gap-2.5 rounded-card border border-line p-3">
      <legend className="sr-only">Events</legend>
      {CHOOSABLE_EVENTS.map((event) => (
        <Checkbox
          key={event}
          label={EVENT_LABELS[event]}
          hint={
            event === 'changes.lost'
              ? 'The receiver was out of reach for so long that it has to read everything again.'
              : undefined
          }
          checked={chosen.includes(event)}
          onCheckedChange={(isOn) =>
            onChange(isOn ? [...chosen, event] : chosen.filter((other) => other !== event))
          }
        />
      ))}
    </fieldset>
  );
}

interface WebhookDialogProps {
  workspaceId: Id<'workspace'>;
  /** The webhook to change; undefined adds one. */
  webhook: Webhook | undefined;
  onClose: () => void;
  /** With the secret of a new one. */
  onSaved: (secret: string | undefined) => void;
}

export function WebhookDialog({ workspaceId, webhook, onClose, onSaved }: WebhookDialogProps) {
  const [problem, setProblem] = useState<string>();
  const { userId } = useActor();
  const owner = useMemberName(webhook?.ownerId);
  const { register, handleSubmit, formState, control, setError } = useForm<Fields>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      which: webhook && webhook.events.length > 0 ? 'chosen' : 'all',
      events: webhook?.events ?? [],
    },
  });
  const { errors, isDirty, isSubmitting } = formState;
  const isChosen = useWatch({ control, name: 'which' }) === 'chosen';
  const send = handleSubmit(async ({ url, description, which, events }) => {
    setProblem(undefined);
    const body = {
      url,
      description: description === '' ? null : description,
      events: which === 'all' ? [] : events,
    };
    try {
      if (webhook) {
        await api('webhook.update', { params: { workspaceId, id: webhook.id }, body });
        onSaved(undefined);
        return;
      }
      const { result } = await api('webhook.create', { params: { workspaceId }, body });
      onSaved(result.secret);
    } catch (failure) {
      const { field, text: message } = problemOf(failure, ['url']);
      if (field) setError(field, { message }, { shouldFocus: true });
      else setProblem(message);
    }
  });
  const isOthers = webhook !== undefined && webhook.ownerId !== userId;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={webhook ? 'Edit webhook' : 'New webhook'}
      description="Each event is sent to the address as a signed POST request."
      // A click outside the dialog must not discard typed values.
      onDismiss={() => !isDirty}
    >
      <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        <Field
          label="Address"
          required
          hint={
            isOthers
              ? `The webhook sends what ${owner} can see. With another address it sends what you can see.`
              : 'An address on the public internet that receives the events.'
          }
          error={errors.url?.message}
        >
          <Input
            {...register('url')}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://example.com/hooks/loci"
          />
        </Field>
        <Field label="Description" hint="Optional" error={errors.description?.message}>
          <Input {...register('description')} autoComplete="off" />
        </Field>
        <div className="flex flex-col gap-2">
          <Controller
            control={control}
            name="which"
            render={({ field }) => (
              <RadioList label="Events" options={WHICH} value={field.value} onValueChange={field.onChange} />
            )}
          />
          {isChosen && (
            <Controller
              control={control}
              name="events"
              render={({ field }) => <EventBoxes chosen={field.value} onChange={field.onChange} />}
            />
          )}
          {isChosen && <FormProblem text={errors.events?.message} />}
        </div>
        <FormProblem text={problem} />
        <DialogFormFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" loading={isSubmitting}>
            {webhook ? 'Save changes' : 'Add webhook'}
          </Button>
        </DialogFormFoot>
      </form>
    </Dialog>
  );
}

/** Beginning to follow a feed: its address, and the space that its entries are saved in. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { LIMITS } from '#shared/constants.ts';
import { text, webUrl } from '#shared/define/fields.ts';
import { isId, type Id } from '#shared/ids.ts';
import { problemOf } from '#client/api/field-problem.ts';
import { api } from '#client/api/session-client.ts';
import { showToast } from '#client/shell/toasts.ts';
import { usePlaceRights, useSpaces } from '#client/spaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFormFoot } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Input } from '#client/ui/input.tsx';
import { Select } from '#client/ui/select.tsx';

const schema = z.object({
  url: text(LIMITS.url).trim().min(1, 'Required').pipe(webUrl),
  spaceId: z.string(),
});
type Fields = z.input<typeof schema>;

const NEW_SPACE = '';

interface FollowFeedDialogProps {
  workspaceId: Id<'workspace'>;
  onClose: () => void;
  onFollowed: () => void;
}

export function FollowFeedDialog({ workspaceId, onClose, onFollowed }: FollowFeedDialogProps) {
  const [problem, setProblem] = useState<string>();
  const mayDo = usePlaceRights();
  const spaces = useSpaces();
  const options = [
    { value: NEW_SPACE, label: 'New private space, named after the feed' },
    ...spaces
      .filter((space) => mayDo('space.file', space))
      .map(({ id, name }) => ({ value: id, label: name })),
  ];
  const { register, handleSubmit, formState, setError } = useForm<Fields>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { url: '', spaceId: NEW_SPACE },
  });
  const { errors, isDirty, isSubmitting } = formState;
  const send = handleSubmit(async ({ url, spaceId }) => {
    setProblem(undefined);
    try {
      const body = { url, spaceId: isId('space', spaceId) ? spaceId : null };
      const { result } = await api('feed.create', { params: { workspaceId }, body });
      showToast({ kind: 'success', title: `You follow “${result.title}”` });
      onFollowed();
    } catch (failure) {
      const { field, text: message } = problemOf(failure, ['url']);
      if (field) setError(field, { message }, { shouldFocus: true });
      else setProblem(message);
    }
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Follow a feed"
      description="The newest entries are saved at once, and new ones within an hour of their appearance."
      // A click outside the dialog must not discard typed values.
      onDismiss={() => !isDirty}
    >
      <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        <Field
          label="Address"
          required
          hint="Of an RSS, Atom or JSON feed, or of a site that has one."
          error={errors.url?.message}
        >
          <Input
            {...register('url')}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://example.com/blog"
          />
        </Field>
        <Field label="Space">
          <Select {...register('spaceId')} options={options} />
        </Field>
        <FormProblem text={problem} />
        <DialogFormFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" loading={isSubmitting}>
            Follow
          </Button>
        </DialogFormFoot>
      </form>
    </Dialog>
  );
}

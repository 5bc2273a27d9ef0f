// The reasons of a rating: a reason and a comment, both optional. For members and for visitors.
import { type FormEvent, useState } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { RATING_REASON_LABELS, RATING_REASONS } from '#shared/threads/rating-reasons.ts';
import type { Opinion } from '#client/threads/rating-opinion.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { RestoredDraftNote } from '#client/ui/restored-draft-note.tsx';
import { Select } from '#client/ui/select.tsx';
import { Textarea } from '#client/ui/textarea.tsx';

export interface RatingWhyProps {
  /** Key of the draft of an unsent comment on this device; it names the person. */
  draftKey: string;
  opinion: Opinion;
  onRate: (opinion: Opinion) => Promise<boolean>;
  close: () => void;
}

const REASONS = [
  { value: '', label: 'No specific reason' },
  ...RATING_REASONS.map((value) => ({ value, label: RATING_REASON_LABELS[value] })),
];

/** The typed reason stays on this device until it is sent. */
export function RatingWhy({ draftKey, opinion, onRate, close }: RatingWhyProps) {
  const stored = { reason: opinion.reason ?? '', comment: opinion.comment ?? '' };
  const [words, setWords] = useState<{ reason: string; comment: string }>(stored);
  const [sending, setSending] = useState(false);
  const draft = useFormDraft(draftKey, changedFields(words, stored), (fields) =>
    setWords({ ...words, ...fields }),
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    const reason = RATING_REASONS.find((value) => value === words.reason) ?? null;
    const isKept = await onRate({ ...opinion, reason, comment: words.comment.trim() || null });
    setSending(false);
    if (!isKept) return;
    draft.drop();
    close();
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex w-72 max-w-full flex-col gap-3 p-1">
      {draft.restored && changedFields(words, stored) && (
        <RestoredDraftNote onDiscard={() => setWords(stored)} />
      )}
      <Field label="Why?">
        <Select
          options={REASONS}
          value={words.reason}
          onChange={(event) => setWords({ ...words, reason: event.target.value })}
        />
      </Field>
      <Field label="Comment" hint="Optional">
        <Textarea
          value={words.comment}
          maxLength={LIMITS.ratingComment}
          onChange={(event) => setWords({ ...words, comment: event.target.value })}
        />
      </Field>
      <Button type="submit" variant="primary" loading={sending} className="self-end">
        Save
      </Button>
    </form>
  );
}

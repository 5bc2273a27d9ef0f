/** Two buttons under an answer: was it good? A second press takes the rating back; reasons are asked for, never demanded. */
import { clsx } from 'clsx';
import { ThumbsUp } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { RATING_REASON_LABELS, RATING_REASONS } from '#shared/threads/rating-reasons.ts';
import { UNRATED, type Opinion } from '#client/threads/use-own-ratings.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { KeptNote } from '#client/ui/kept-note.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { Popover } from '#client/ui/popover.tsx';
import { Select } from '#client/ui/select.tsx';
import { Textarea } from '#client/ui/textarea.tsx';

interface AnswerRatingProps {
  /** Under which an unsent comment is kept on this device; names the person. */
  draftKey: string;
  opinion: Opinion;
  onRate: (opinion: Opinion) => Promise<boolean>;
}

const CHOICES = [
  { label: 'Good answer', value: 1 },
  { label: 'Bad answer', value: -1 },
] as const;

const REASONS = [
  { value: '', label: 'Nothing in particular' },
  ...RATING_REASONS.map((value) => ({ value, label: RATING_REASON_LABELS[value] })),
];

function WhyForm({ draftKey, opinion, onRate, close }: AnswerRatingProps & { close: () => void }) {
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
      {draft.restored && changedFields(words, stored) && <KeptNote onDiscard={() => setWords(stored)} />}
      <Field label="What decided it?">
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

/** Without a network the buttons show what was said before and cannot be pressed. */
export function AnswerRating({ draftKey, opinion, onRate }: AnswerRatingProps) {
  const online = useIsOnline();
  const [isOpen, setIsOpen] = useState(false);
  const { value } = opinion;
  return (
    <div className="-ms-1.5 flex items-center gap-0.5 pb-3">
      {CHOICES.map(({ label, value: choice }) => (
        <PlainIconButton
          key={label}
          label={label}
          title={label}
          aria-pressed={value === choice}
          disabled={!online}
          size="sm"
          icon={
            // One icon for both: a second one, shared with another page, would be one more file in the list of every page.
            <ThumbsUp
              className={clsx(
                choice < 0 && '-scale-y-100',
                value === choice && 'fill-current text-primary-text',
              )}
            />
          }
          onClick={() => void onRate(value === choice ? UNRATED : { ...UNRATED, value: choice })}
        />
      ))}
      {value !== 0 && online && (
        <Popover
          label="Why"
          open={isOpen}
          onOpenChange={setIsOpen}
          trigger={
            <Button size="sm" variant="ghost">
              {opinion.reason === null && opinion.comment === null ? 'Say why' : 'Change why'}
            </Button>
          }
        >
          <WhyForm draftKey={draftKey} opinion={opinion} onRate={onRate} close={() => setIsOpen(false)} />
        </Popover>
      )}
    </div>
  );
}

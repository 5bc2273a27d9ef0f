/** Two buttons to rate an answer. A second press removes the rating; giving a reason is optional. */
import { clsx } from 'clsx';
import { ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { RATINGS } from '#shared/threads/rating-reasons.ts';
import { RatingWhy, type RatingWhyProps } from '#client/threads/rating-why.tsx';
import { UNRATED } from '#client/threads/rating-opinion.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { Button } from '#client/ui/button.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { Popover } from '#client/ui/popover.tsx';

/** Offline the buttons show the stored rating and are disabled. */
export function AnswerRating({ draftKey, opinion, onRate }: Omit<RatingWhyProps, 'close'>) {
  const online = useIsOnline();
  const [isOpen, setIsOpen] = useState(false);
  const { value } = opinion;
  return (
    <div className="-ms-1.5 flex items-center gap-0.5">
      {RATINGS.map(({ label, value: choice }) => (
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
              className={clsx(choice < 0 && '-scale-y-100', value === choice && 'fill-current text-primary')}
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
              {opinion.reason === null && opinion.comment === null ? 'Give a reason' : 'Edit reason'}
            </Button>
          }
        >
          <RatingWhy draftKey={draftKey} opinion={opinion} onRate={onRate} close={() => setIsOpen(false)} />
        </Popover>
      )}
    </div>
  );
}

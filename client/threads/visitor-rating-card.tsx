/**
 * Under an answer on a public page: was it good? Answered by visitor-rating.ts; a second press takes the rating back.
 * Without script none of it is drawn.
 */
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';

const CHOICES = [
  { label: 'Good answer', value: 1 },
  { label: 'Bad answer', value: -1 },
] as const;

interface VisitorRatingProps {
  workspaceId: string;
  threadId: string;
  messageId: string;
}

/** Two buttons, which are pressed as the server keeps it, and the way to say why. */
export function VisitorRating({ workspaceId, threadId, messageId }: VisitorRatingProps) {
  return (
    <div data-rating={messageId} data-workspace={workspaceId} data-thread={threadId}>
      <div className="flex flex-wrap items-center gap-1">
        {CHOICES.map(({ label, value }) => (
          <button
            key={label}
            type="button"
            data-action="rate"
            data-value={value}
            aria-label={label}
            title={label}
            className={`${buttonStyle({ variant: 'ghost' })} aria-pressed:bg-primary-soft aria-pressed:text-primary`}
          >
            <SiteIcon name="thumbs-up" {...(value < 0 && { className: '-scale-y-100' })} />
          </button>
        ))}
        <button
          type="button"
          data-action="rate-why"
          aria-expanded={false}
          hidden
          className={buttonStyle({ variant: 'ghost' })}
        >
          Give a reason
        </button>
        <p role="alert" className="text-sm text-danger" />
      </div>
      <div data-why className="ms-2 mt-1" />
    </div>
  );
}

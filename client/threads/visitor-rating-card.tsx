/**
 * Under an answer on a public page: was it good? Handled by visitor-rating.ts; a second press removes the rating. Without
 * script it is not shown.
 */
import { LIMITS } from '#shared/constants.ts';
import { RATINGS, RATING_REASON_LABELS, RATING_REASONS } from '#shared/threads/rating-reasons.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { controlHeight, controlStyle } from '#client/ui/control-style.ts';

interface VisitorRatingProps {
  workspaceId: string;
  threadId: string;
  messageId: string;
}

/** Two buttons, pressed as stored on the server, and a form for the reason. */
export function VisitorRating({ workspaceId, threadId, messageId }: VisitorRatingProps) {
  return (
    <div data-rating={messageId} data-workspace={workspaceId} data-thread={threadId}>
      <div className="flex flex-wrap items-center gap-1">
        {RATINGS.map(({ label, value }) => (
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

/** Once in a page: the form for the reason of a rating, which visitor-rating.ts puts below the answer. */
export function RatingForm() {
  return (
    <template id="rating-form">
      <form className="flex w-72 max-w-full flex-col gap-3 p-1 text-sm font-medium">
        <label>
          Why?
          <select name="reason" className={`${controlStyle} ${controlHeight} mt-2`}>
            <option value="">No specific reason</option>
            {RATING_REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {RATING_REASON_LABELS[reason]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Comment <span className="font-normal text-ink-muted">Optional</span>
          <textarea
            name="comment"
            rows={3}
            maxLength={LIMITS.ratingComment}
            className={`${controlStyle} mt-2 py-2`}
          />
        </label>
        <button type="submit" className={`${buttonStyle({ variant: 'primary' })} self-end`}>
          Save
        </button>
      </form>
    </template>
  );
}

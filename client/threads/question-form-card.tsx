/** The form for visitors' questions, which visitor-questions.ts sends. With an address it works without script as well. */
import { useId } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { controlStyle } from '#client/ui/control-style.ts';

interface QuestionFormProps {
  label: string;
  hint: string;
  /** Replaces the hint. */
  refusal?: string | undefined;
  place: { workspaceId: string; spaceId: string } | { workspaceId: string; threadId: string };
  /** Where it posts to without script. */
  action?: string;
}

/** Field, trap and button. */
export function QuestionForm({ label, hint, refusal, place, action }: QuestionFormProps) {
  const id = useId();
  return (
    <form
      method="post"
      action={action}
      data-ask={JSON.stringify(place)}
      className="max-w-2xl rounded-card border border-line bg-raised p-5"
    >
      <label htmlFor={id} className="font-serif text-name">
        {label}
      </label>
      <textarea
        id={id}
        name="content"
        rows={2}
        required
        maxLength={LIMITS.description}
        aria-describedby={`${id}-note`}
        placeholder="What would you like to know?"
        className={`${controlStyle} mt-3 py-2`}
      />
      {/* A trap for robots: people neither see nor reach it. */}
      <input
        type="text"
        name="website"
        tabIndex={-1}
        autoComplete="off"
        aria-hidden="true"
        className="hidden"
      />
      <p
        id={`${id}-note`}
        aria-live="polite"
        data-hint={hint}
        data-problem={refusal === undefined ? undefined : ''}
        className="mt-2 text-xs leading-5 text-ink-muted data-problem:text-danger"
      >
        {refusal ?? hint}
      </p>
      <button
        type="submit"
        className={`${buttonStyle({ variant: 'primary', size: 'lg' })} group mt-3 max-sm:w-full`}
      >
        <SiteIcon name="spinner" className="hidden size-4 animate-turn group-aria-busy:block" />
        Ask
      </button>
    </form>
  );
}

/**
 * The newsletter and early-access form: one e-mail address, one button. Works without script as a plain form; with it,
 * newsletter.ts checks and sends.
 */
import { clsx } from 'clsx';
import { useId } from 'react';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { controlStyle } from '#client/ui/control-style.ts';

interface NewsletterFormProps {
  label: string;
  action: string;
  hint?: string;
  /** Offers news beside the access; otherwise the form is about news. */
  asksForNews?: boolean;
}

/** `action` is the button's text; the address is checked by the rule of the API, with its messages. */
export function NewsletterForm({ label, action, hint = '', asksForNews = false }: NewsletterFormProps) {
  const id = useId();
  return (
    <form method="post" action="/request-access" data-newsletter>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="mt-2 flex flex-wrap gap-2 sm:flex-nowrap">
        <input
          id={id}
          name="email"
          required
          autoComplete="email"
          inputMode="email"
          placeholder="you@example.com"
          aria-describedby={`${id}-note`}
          className={clsx(controlStyle, 'h-10 min-w-0 flex-1 pointer-coarse:h-11')}
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
        <button
          type="submit"
          className={clsx(buttonStyle({ variant: 'primary', size: 'lg' }), 'group max-sm:w-full')}
        >
          <SiteIcon name="spinner" className="hidden size-4 animate-turn group-aria-busy:block" />
          {action}
        </button>
      </div>
      {asksForNews ? (
        <label className="mt-3 flex min-h-6 items-center gap-2 text-sm pointer-coarse:min-h-11">
          <input type="checkbox" name="news" value="true" className="size-4 accent-primary" />
          Also send me product updates
        </label>
      ) : (
        <input type="hidden" name="news" value="true" />
      )}
      <p
        id={`${id}-note`}
        aria-live="polite"
        data-hint={hint}
        className="mt-2 min-h-5 text-xs leading-5 text-ink-muted data-problem:text-danger"
      >
        {hint}
      </p>
    </form>
  );
}

// The newsletter and early-access form: one e-mail address, one button. Used in the footer, the modal and on request-access.
// Works without JavaScript as a plain form.
import { clsx } from 'clsx';
import { useId } from 'react';
import { useNewsletterForm } from '#client/site/lazy-newsletter.ts';
import { buttonStyle } from '#client/ui/button-style.ts';
import { controlStyle } from '#client/ui/control-style.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';

interface NewsletterFormProps {
  label: string;
  action: string;
  hint?: string;
  onRegistered?: () => void;
}

/** With JavaScript our messages take the place of the browser's. */
function showOwnMessages(form: HTMLFormElement | null): void {
  if (form) form.noValidate = true;
}

/** `action` is the button's text; the address is checked with the specification's words. */
export function NewsletterForm({ label, action, hint, onRegistered }: NewsletterFormProps) {
  const id = useId();
  const { problem, submitting, checkNow, checkSoon, onSubmit, prepare } = useNewsletterForm(onRegistered);
  return (
    <form method="post" action="/request-access" ref={showOwnMessages} onSubmit={onSubmit}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="mt-2 flex flex-wrap gap-2 sm:flex-nowrap">
        <input
          id={id}
          type="email"
          name="email"
          required
          autoComplete="email"
          inputMode="email"
          placeholder="you@example.com"
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-note`}
          onFocus={prepare}
          onInput={(event) => checkSoon(event.currentTarget.value)}
          onBlur={(event) => checkNow(event.currentTarget.value)}
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
          aria-busy={submitting || undefined}
          aria-disabled={submitting || undefined}
          className={clsx(buttonStyle({ variant: 'primary', size: 'lg' }), 'max-sm:w-full')}
        >
          {submitting && <SiteIcon name="spinner" className="size-4 animate-turn" />}
          {action}
        </button>
      </div>
      <p id={`${id}-note`} aria-live="polite" className="mt-2 min-h-5 text-xs leading-5">
        {problem === undefined ? (
          <span className="text-ink-muted">{hint}</span>
        ) : (
          <span className="text-danger-text">{problem}</span>
        )}
      </p>
    </form>
  );
}

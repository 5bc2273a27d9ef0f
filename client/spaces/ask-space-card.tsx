/**
 * The question box of a public space. Works without script as a plain form, which leads to the answer; with it,
 * ask-space.ts sends the question and keeps what was typed when it is refused.
 */
import { useId } from 'react';
import { LIMITS } from '#shared/constants.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { usePageAddress } from '#client/shell/page-address.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { controlStyle } from '#client/ui/control-style.ts';

const HINT =
  'Answers quote the memories shown here. Your question gets a page that anyone with its link can read.';

/** What the server refused, by the query it redirects with. */
const REFUSALS: Readonly<Record<string, string>> = {
  invalid: `Write a question of at most ${LIMITS.description.toLocaleString('en')} characters.`,
  off: 'This space does not take questions from visitors.',
  later: 'Your question could not be answered now. Too many were asked. Try again later.',
};

interface AskSpaceProps {
  space: PublicSpace;
  /** Address of the space's page. */
  address: string;
}

/** Nothing where visitors may not ask. */
export function AskSpace({ space, address }: AskSpaceProps) {
  const id = useId();
  const outcome = usePageAddress().searchParams.get('asked') ?? '';
  const refusal = Object.hasOwn(REFUSALS, outcome) ? REFUSALS[outcome] : undefined;
  if (!space.publicChat) return null;
  return (
    <section id="ask" aria-label="Ask this space" className="mt-10 scroll-mt-20">
      <form
        method="post"
        action={`${address}/ask`}
        data-ask={JSON.stringify({ workspaceId: space.workspaceId, spaceId: space.id })}
        className="max-w-2xl rounded-card border border-line bg-surface p-5"
      >
        <label htmlFor={id} className="text-base font-semibold">
          Ask this space
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
          data-hint={HINT}
          data-problem={refusal === undefined ? undefined : ''}
          className="mt-2 text-xs leading-5 text-ink-muted data-problem:text-danger-text"
        >
          {refusal ?? HINT}
        </p>
        <button
          type="submit"
          className={`${buttonStyle({ variant: 'primary', size: 'lg' })} group mt-3 max-sm:w-full`}
        >
          <SiteIcon name="spinner" className="hidden size-4 animate-turn group-aria-busy:block" />
          Ask
        </button>
      </form>
    </section>
  );
}

/** The question box of a public space. Works without script as a plain form, which leads to the answer. */
import { LIMITS } from '#shared/constants.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { usePageAddress } from '#client/shell/page-address.ts';
import { QuestionForm } from '#client/threads/question-form-card.tsx';

const HINT =
  'Answers quote the memories shown here. Your question gets a page that anyone with its link can read.';

/** Messages by the value of the query parameter that the server redirects with. */
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
  const outcome = usePageAddress().searchParams.get('asked') ?? '';
  const refusal = Object.hasOwn(REFUSALS, outcome) ? REFUSALS[outcome] : undefined;
  if (!space.publicChat) return null;
  return (
    <section id="ask" aria-label="Ask this space" className="mt-10 scroll-mt-20">
      <QuestionForm
        label="Ask this space"
        hint={HINT}
        refusal={refusal}
        place={{ workspaceId: space.workspaceId, spaceId: space.id }}
        action={`${address}/ask`}
      />
    </section>
  );
}

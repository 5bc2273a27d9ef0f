/**
 * The first steps on the home page of a new person: each ticks itself, and the list goes away when all are done or when
 * it is closed. On a phone it is one line until it is opened.
 */
import { Check, ChevronDown, Circle, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { pathTo } from '#shared/pages.ts';
import { useIsWhole } from '#client/replica/use-known.ts';
import { openImport } from '#client/shell/import-state.ts';
import { install } from '#client/shell/install.ts';
import { openModal } from '#client/shell/modals.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';
import { IconButton } from '#client/ui/icon-button.tsx';
import {
  closeChecklist,
  useOpenChecklist,
  useSteps,
  type Step,
  type StepName,
} from '#client/workspaces/checklist.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';

const WORDS: Readonly<Record<StepName, { label: string; hint: string }>> = {
  save: { label: 'Keep a thought or a link', hint: 'Write or paste it; it is stored on this device first.' },
  bring: {
    label: 'Begin with your notes or a sample',
    hint: 'Files, folders, or an export of another product.',
  },
  space: { label: 'Group memories in a space', hint: 'A collection for a topic, yours alone or shared.' },
  ask: { label: 'Get an answer from your memories', hint: 'It quotes the passages that it comes from.' },
  install: {
    label: `Use ${PRODUCT_NAME} as an app on this device`,
    hint: 'A window of its own, also offline.',
  },
  invite: { label: 'Work with a colleague', hint: 'Send an invitation. Done when they have joined.' },
};

/** The same width at which the page gets a sidebar. */
const isRoomy = () => matchMedia('(min-width: 48rem)').matches;

function useStart(): (name: StepName) => void {
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  return (name) => {
    if (name === 'save') openModal('createMemory', {});
    else if (name === 'bring') openImport();
    else if (name === 'space') openModal('createSpace', {});
    else if (name === 'ask') openModal('createThread', {});
    else if (name === 'install') install().catch(showProblem);
    else void navigate(pathTo('settings_members', { workspace_slug: slug }));
  };
}

function StepLine({ step, onStart }: { step: Step; onStart: () => void }) {
  const { label, hint } = WORDS[step.name];
  const Icon = step.done ? Check : Circle;
  const icon = (
    <Icon
      aria-hidden="true"
      className={step.done ? 'mt-0.5 size-4 shrink-0 text-primary' : 'mt-0.5 size-4 shrink-0 text-ink-faint'}
    />
  );
  if (step.done) {
    return (
      <li className="flex items-start gap-2.5 px-2 py-2 text-ink-muted">
        {icon}
        <span>
          <span className="line-through">{label}</span>
          <span className="sr-only"> (done)</span>
        </span>
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        onClick={onStart}
        className="flex min-h-11 w-full cursor-pointer items-start gap-2.5 rounded-control px-2 py-2 text-start hover:bg-hover"
      >
        {icon}
        <span>
          <span className="font-medium">{label}</span>
          <span className="block text-xs text-ink-muted">{hint}</span>
        </span>
      </button>
    </li>
  );
}

function Checklist({ steps, onClose }: { steps: readonly Step[]; onClose: () => void }) {
  const [isOpen, setIsOpen] = useState(isRoomy);
  const start = useStart();
  const done = steps.filter((step) => step.done).length;
  return (
    <section aria-label="First steps" className="rounded-card border border-line bg-raised px-2 py-1 text-sm">
      <div className="flex items-center gap-1">
        <h2 className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            className="flex min-h-11 w-full cursor-pointer items-center gap-2 rounded-control px-2 text-start"
          >
            <ChevronDown
              aria-hidden="true"
              className={
                isOpen ? 'size-4 shrink-0 text-ink-faint' : 'size-4 shrink-0 -rotate-90 text-ink-faint'
              }
            />
            <span className="font-semibold">First steps</span>
            <span className="text-ink-muted">
              {done} of {steps.length} done
            </span>
          </button>
        </h2>
        <IconButton label="Hide the first steps" icon={<X />} onClick={onClose} />
      </div>
      {isOpen && (
        <ul className="grid gap-x-4 pb-1 sm:grid-cols-2 lg:grid-cols-3">
          {steps.map((step) => (
            <StepLine key={step.name} step={step} onStart={() => start(step.name)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function OpenChecklist({ userId }: { userId: string }) {
  const steps = useSteps();
  const isHere = useIsWhole();
  const isComplete = isHere && steps.length > 0 && steps.every((step) => step.done);
  const [wasShown, setWasShown] = useState(false);
  const shown = isHere && steps.length > 0 && !isComplete;
  if (shown && !wasShown) setWasShown(true);
  useEffect(() => {
    if (!isComplete) return;
    closeChecklist(userId);
    if (wasShown) showToast({ kind: 'success', title: 'You have done all first steps' });
  }, [isComplete, userId, wasShown]);
  if (!shown) return null;
  const close = () => {
    closeChecklist(userId);
    // The button is gone with the card.
    document.querySelector('main')?.focus({ preventScroll: true });
  };
  return <Checklist steps={steps} onClose={close} />;
}

/** Nothing for guests, and for people who closed it or have done it all. */
export function ChecklistCard() {
  const userId = useOpenChecklist();
  return userId === undefined ? null : <OpenChecklist userId={userId} />;
}

/**
 * The first steps of a new person, as one button on the home page that opens their list: each is ticked automatically, and the
 * button disappears when all are done or when it is dismissed.
 */
import { Check, Circle } from 'lucide-react';
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
import { Button } from '#client/ui/button.tsx';
import { Popover } from '#client/ui/popover.tsx';
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

/** An arch that fills from its left foot to its right one. */
function ArchProgress({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 16 16" fill="none" strokeWidth="3" aria-hidden="true" className="text-primary">
      <path d="M3 15V8a5 5 0 0 1 10 0v7" stroke="currentColor" opacity="0.25" />
      <path
        d="M3 15V8a5 5 0 0 1 10 0v7"
        stroke="currentColor"
        pathLength="1"
        strokeDasharray={`${share} 1`}
      />
    </svg>
  );
}

function Checklist({ steps, onClose }: { steps: readonly Step[]; onClose: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const start = useStart();
  const done = steps.filter((step) => step.done).length;
  return (
    <Popover
      label="First steps"
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-96 p-2"
      trigger={
        <Button size="sm" variant="ghost" icon={<ArchProgress share={done / steps.length} />}>
          <span className="max-md:sr-only">First steps</span>
          <span className="font-normal tabular-nums max-sm:sr-only">
            {done} of {steps.length} done
          </span>
        </Button>
      }
    >
      <ul>
        {steps.map((step) => (
          <StepLine
            key={step.name}
            step={step}
            onStart={() => {
              setOpen(false);
              start(step.name);
            }}
          />
        ))}
      </ul>
      <Button size="sm" variant="ghost" onClick={onClose} className="mt-1">
        Hide the first steps
      </Button>
    </Popover>
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
    // The button is removed with its list.
    document.querySelector('main')?.focus({ preventScroll: true });
  };
  return <Checklist steps={steps} onClose={close} />;
}

/** Nothing for guests, and for people who closed it or have done it all. */
export function ChecklistCard() {
  const userId = useOpenChecklist();
  return userId === undefined ? null : <OpenChecklist userId={userId} />;
}

/**
 * The popup: pressing the button of the extension saves the page, and then this offers note, tags and space. Without a session,
 * it offers the sign-in first.
 */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { LogoMark } from '#client/shell/logo.tsx';
import { Button } from '#client/ui/button.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Spinner } from '#client/ui/spinner.tsx';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { ask, type Page, type State } from './messages.ts';
import { PageForm } from './page-form.tsx';
import { RefusedPage } from './refused-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { WaitingList } from './waiting-list.tsx';

type Progress = { page?: Page; problem?: string; isUndone?: boolean };

/** A page that is saved already is shown as it is, unless `isAgain` is set. */
async function saveShownPage({ isAgain = false } = {}): Promise<Progress> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  if (tab?.id === undefined) return { problem: 'There is no page to save' };
  const given = { tabId: tab.id };
  try {
    const found = isAgain ? null : await ask('find', given);
    return { page: found ?? (await ask('save', given)) };
  } catch (error) {
    return { problem: sentence(error) };
  }
}

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const HEADINGS = {
  saved: 'Saved',
  known: 'Already saved',
  there: 'Already saved',
  waiting: 'Saved on this device',
  refused: 'Not saved',
} as const;

function headingOf({ page, problem, isUndone }: Progress): string {
  if (isUndone) return 'Removed again';
  if (problem !== undefined) return 'Not saved';
  return page ? HEADINGS[page.outcome.kind] : 'Saving…';
}

export function PopupView() {
  const [state, setState] = useState<State>();
  const [progress, setProgress] = useState<Progress>({});
  const [problem, setProblem] = useState<string>();
  const isSaving = useRef(false);

  const show = async (answer: Promise<State>) => {
    setProblem(undefined);
    try {
      setState(await answer);
    } catch (error) {
      setProblem(sentence(error));
      setState(await ask('state', {}));
    }
  };
  useEffect(() => {
    void (async () => setState(await ask('state', {})))();
  }, []);

  useEffect(() => {
    if (state?.account?.isConnected !== true || isSaving.current) return;
    isSaving.current = true;
    void (async () => {
      setProgress(await saveShownPage());
      // A page that already exists sends nothing itself.
      setState(await ask('send', {}));
    })();
  }, [state?.account?.isConnected]);

  if (state === undefined) return <Frame heading={PRODUCT_NAME} isBusy />;
  if (!state.account?.isConnected) {
    return (
      <Frame heading={state.account ? 'Sign in again' : `Sign in to ${PRODUCT_NAME}`}>
        <FormProblem text={problem} />
        <SignInForm server={state.server} onSignIn={(server) => show(ask('sign_in', { server }))} />
        <WaitingList state={state} onState={show} />
      </Frame>
    );
  }
  const { page } = progress;
  return (
    <Frame
      heading={headingOf(progress)}
      isBusy={page === undefined && progress.problem === undefined && !progress.isUndone}
      foot={
        <>
          <p className="min-w-0 truncate text-xs text-ink-muted">
            {state.account.userName} · {state.account.workspaceName}
          </p>
          <Button size="sm" variant="ghost" onClick={() => void show(ask('sign_out', {}))}>
            Sign out
          </Button>
        </>
      }
    >
      <FormProblem text={problem ?? progress.problem} />
      {page?.outcome.kind === 'refused' && (
        <RefusedPage page={page} reason={page.outcome.reason} seq={page.outcome.seq} onState={show} />
      )}
      {page && page.outcome.kind !== 'refused' && (
        <PageForm
          key={page.outcome.kind}
          page={page}
          onSaveAgain={async () => {
            setProgress({});
            setProgress(await saveShownPage({ isAgain: true }));
            setState(await ask('state', {}));
          }}
          onState={setState}
          onUndone={(next) => {
            setState(next);
            setProgress({ isUndone: true });
          }}
        />
      )}
      {progress.isUndone && (
        <p className="text-ink-muted">
          The page is not in {PRODUCT_NAME}. To save it after all, press the button of the extension again.
        </p>
      )}
      <WaitingList state={state} onState={show} />
    </Frame>
  );
}

interface FrameProps {
  heading: string;
  isBusy?: boolean;
  children?: ReactNode;
  foot?: ReactNode;
}

function Frame({ heading, isBusy = false, children, foot }: FrameProps) {
  return (
    <main className="flex flex-col gap-3 bg-raised p-4 text-sm text-ink">
      <h1 className="flex items-center gap-2.5 font-serif text-name" aria-live="polite">
        <LogoMark className="size-6" />
        {heading}
        {isBusy && <Spinner className="size-4 text-ink-muted" />}
      </h1>
      {children}
      {foot && (
        <footer className="-mx-4 -mb-4 flex items-center justify-between gap-3 border-t border-line bg-sunk px-4 py-2">
          {foot}
        </footer>
      )}
    </main>
  );
}

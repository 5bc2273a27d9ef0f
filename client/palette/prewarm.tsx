/**
 * Renders its children once outside of the document, in idle moments and in small steps. Code runs slowly the first time,
 * and without this the person who first opens the dialog would wait for it.
 */
import { startTransition, useEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { whenIdle } from '#client/shell/quiet-moment.ts';

/** Outside of the document no style is computed and screen readers announce nothing. */
export function Prewarm({ children }: { children: ReactNode }) {
  const [stage, setStage] = useState<HTMLElement>();
  useEffect(() => {
    let isOver = false;
    const step = (run: () => void) => whenIdle(() => isOver || startTransition(run));
    step(() => {
      setStage(document.createElement('div'));
      step(() => setStage(undefined));
    });
    return () => {
      isOver = true;
    };
  }, []);
  return stage && createPortal(children, stage);
}

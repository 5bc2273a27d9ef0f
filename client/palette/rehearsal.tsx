/**
 * Draws something once where nobody sees it, in idle moments and in small pieces: code runs slowly the first time, and
 * whoever opens a dialog first would wait for that.
 */
import { startTransition, useEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { whenIdle } from '#client/shell/quiet-moment.ts';

/** Outside of the document, so that no style is computed and nothing is read aloud. */
export function Rehearsal({ children }: { children: ReactNode }) {
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

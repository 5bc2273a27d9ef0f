/**
 * Announces a client-side navigation to screen readers as a full page load would: focuses the page and announces its
 * title. Also closes the modals of the previous page, and applies a newer build if one is waiting.
 */
import { useEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { applyWhenIdle } from '#client/shell/build-watch.ts';
import { goesOnWriting } from '#client/shell/go-on-writing.ts';
import { closeModalsForNavigation } from '#client/shell/modals.ts';

function focusPage(isWriting: boolean): void {
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  // A form that is all the page is for has taken it.
  if (document.activeElement?.matches('main input, main textarea')) return;
  const target = (isWriting ? find('main textarea') : null) ?? find('main h1, h1') ?? find('main');
  if (!target) return;
  if (target.tabIndex < 0 && !target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Once in the root; silent for the first page, which the browser announces itself. */
export function RouteAnnouncer() {
  const { pathname, hash, state } = useLocation();
  // People go back to a thread to read it.
  const isWriting = useNavigationType() !== NavigationType.Pop && goesOnWriting(state);
  const [title, setTitle] = useState('');
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return undefined;
    last.current = pathname;
    closeModalsForNavigation();
    // One frame later the new page has written its title and heading.
    const frame = requestAnimationFrame(() => {
      if (hash === '') focusPage(isWriting);
      setTitle(document.title);
      applyWhenIdle();
    });
    return () => cancelAnimationFrame(frame);
  }, [pathname, hash, isWriting]);
  return (
    <output aria-live="polite" className="sr-only">
      {title}
    </output>
  );
}

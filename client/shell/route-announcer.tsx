/**
 * Announces a client-side navigation to screen readers as a full page load would: focuses the page and announces its
 * title. Also closes the modals of the previous page, and applies a newer build if one is waiting.
 */
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { applyWhenIdle } from '#client/shell/build-watch.ts';
import { closeModalsForNavigation } from '#client/shell/modals.ts';

function focusPage(): void {
  const target =
    document.querySelector<HTMLElement>('main h1, h1') ?? document.querySelector<HTMLElement>('main');
  if (!target) return;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Once in the root; silent for the first page, which the browser announces itself. */
export function RouteAnnouncer() {
  const { pathname, hash } = useLocation();
  const [title, setTitle] = useState('');
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return undefined;
    last.current = pathname;
    closeModalsForNavigation();
    // One frame later the new page has written its title and heading.
    const frame = requestAnimationFrame(() => {
      if (hash === '') focusPage();
      setTitle(document.title);
      applyWhenIdle();
    });
    return () => cancelAnimationFrame(frame);
  }, [pathname, hash]);
  return (
    <output aria-live="polite" className="sr-only">
      {title}
    </output>
  );
}

/**
 * "Save to my workspace": opens the copy's dialog for who is signed in, leads everyone else through sign-up and back.
 * Only the presence of the session's cookie is looked at; the server decides.
 */
import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { COOKIES } from '#shared/constants.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { readCookie } from '#client/api/cookies.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { saveSpaceStore } from '#client/spaces/save-space-store.ts';
import { buttonStyle } from '#client/ui/button-style.ts';

/** A link, so that it works before and without the page's script. */
export function SaveSpaceButton({ space }: { space: PublicSpace }) {
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const isReturning = params.has('save');
  useEffect(() => {
    if (isReturning && readCookie(COOKIES.session) !== undefined) saveSpaceStore.set(space);
  }, [isReturning, space]);
  return (
    <a
      href={`/signup?redirect=${encodeURIComponent(`${pathname}?save=1`)}`}
      rel="nofollow"
      className={buttonStyle({ variant: 'primary', size: 'lg' })}
      onClick={(event) => {
        if (readCookie(COOKIES.session) === undefined) return;
        event.preventDefault();
        saveSpaceStore.set(space);
      }}
    >
      <SiteIcon name="bookmark-plus" />
      Save to my workspace
    </a>
  );
}

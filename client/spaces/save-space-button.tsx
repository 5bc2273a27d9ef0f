/**
 * "Save to my workspace": a link through sign-up and back. With script, who is signed in gets the dialog of the copy instead;
 * only the presence of the session's cookie is looked at, the server decides.
 */
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { usePageAddress } from '#client/shell/page-address.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import type { SpaceToSave } from '#client/spaces/save-space-store.ts';
import { buttonStyle } from '#client/ui/button-style.ts';

export function SaveSpaceButton({ space: { id, name, memoryCount } }: { space: PublicSpace }) {
  const { pathname } = usePageAddress();
  const space: SpaceToSave = { id, name, memoryCount };
  return (
    <a
      href={`/signup?redirect=${encodeURIComponent(`${pathname}?save=1`)}`}
      rel="nofollow"
      data-action="save-space"
      data-space={JSON.stringify(space)}
      className={buttonStyle({ variant: 'primary', size: 'lg' })}
    >
      <SiteIcon name="bookmark-plus" />
      Save to my workspace
    </a>
  );
}

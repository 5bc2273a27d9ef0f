/**
 * "Save to my workspace": a link through sign-up and back. With script, who is signed in gets the dialog of the copy instead;
 * only the presence of the session's cookie is looked at, the server decides.
 */
import { PAGES } from '#shared/pages.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { usePageAddress } from '#client/shell/page-address.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { SiteDialog } from '#client/shell/site-dialog.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { controlHeight, controlStyle } from '#client/ui/control-style.ts';
import { formatCount } from '#shared/english.ts';

export function SaveSpaceLink({ space }: { space: PublicSpace }) {
  const { pathname } = usePageAddress();
  return (
    <a
      href={`/signup?redirect=${encodeURIComponent(`${pathname}?save=1`)}`}
      rel="nofollow"
      data-action="save-space"
      data-space={space.id}
      className={buttonStyle({ variant: 'primary', size: 'lg' })}
    >
      <SiteIcon name="bookmark-plus" />
      Save to my workspace
    </a>
  );
}

/** Filled by save-space-dialog.ts with the workspaces of the visitor. */
export function SaveSpaceDialog({ space: { name, memoryCount } }: { space: PublicSpace }) {
  const copied = memoryCount === 1 ? 'Its 1 memory is' : `Its ${formatCount(memoryCount)} memories are`;
  return (
    <SiteDialog
      id="save-space"
      title={`Save “${name}”`}
      description={`${copied} copied as shown here; pages you already have are not copied again. The copy is yours: later changes of the original do not reach it.`}
    >
      <form>
        <label htmlFor="save-space-place" data-choice hidden className="text-sm font-medium">
          Workspace
          <select
            id="save-space-place"
            aria-label="Workspace"
            name="workspace"
            className={`${controlStyle} ${controlHeight} mt-2`}
          />
        </label>
        <p data-none hidden className="text-sm">
          You have no workspace yet.{' '}
          <a href={PAGES.create_workspace.path} className="font-medium text-primary hover:underline">
            Create a workspace
          </a>
        </p>
        <div className="mt-5 flex justify-end gap-2">
          <button type="button" data-action="close-dialog" className={buttonStyle({ size: 'lg' })}>
            Cancel
          </button>
          <button type="submit" disabled className={buttonStyle({ variant: 'primary', size: 'lg' })}>
            Save a copy
          </button>
        </div>
      </form>
    </SiteDialog>
  );
}

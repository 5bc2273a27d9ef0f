/** States that a feature needs a confirmed e-mail address, with a link to confirm it. */
import { pathTo } from '#shared/pages.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { LinkButton } from '#client/ui/link-button.tsx';

/** `purpose` completes "Confirm your e-mail address to …". */
export function UnconfirmedAddressCard({ purpose }: { purpose: string }) {
  const account = pathTo('settings_account', { workspace_slug: useWorkspaceSlug() });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-control bg-sunk px-3 py-2.5">
      <p>Confirm your e-mail address to {purpose}.</p>
      <LinkButton to={account}>Go to account</LinkButton>
    </div>
  );
}

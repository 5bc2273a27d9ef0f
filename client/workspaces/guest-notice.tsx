/** A line above every page of a workspace in which the person is a guest, so that what is missing is no riddle. */
import { Link } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { usePerson } from '#client/api/session.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';

/** Nothing for members. */
export function GuestNotice() {
  const slug = useWorkspaceSlug();
  const membership = usePerson()?.workspaces.find((workspace) => workspace.slug === slug);
  if (membership?.isGuest !== true) return null;
  return (
    <p role="note" className="border-b border-line bg-sunk px-3 py-2 text-xs text-ink-muted sm:px-5">
      You are a guest in {membership.name}. You see only what was shared with you.{' '}
      <Link to={pathTo('settings_shares', { workspace_slug: slug })} className="underline hover:text-ink">
        Your shares
      </Link>
    </p>
  );
}

/** States that nothing of the workspace is shown on the web, because staff suspended it, and where to appeal. */
import type { Id } from '#shared/ids.ts';
import { useResult } from '#client/api/use-result.ts';
import { RelativeTime } from '#client/ui/relative-time.tsx';

/** Nothing for a workspace that is not suspended, and offline. */
export function SuspensionCard({ workspaceId }: { workspaceId: Id<'workspace'> }) {
  const { known } = useResult('workspace.suspension', { params: { workspaceId } });
  if (known.state !== 'here' || known.value === null) return null;
  const { since, contact } = known.value;
  return (
    <section
      aria-label="Workspace suspended"
      className="rounded-control border border-warning bg-warning-soft px-4 py-3 text-warning"
    >
      <p className="font-medium">This workspace is suspended</p>
      <p className="mt-1">
        It was reported and suspended <RelativeTime at={since} />. Nothing of it is shown on the web, whatever
        its spaces and threads are set to. Members keep working as before.
        {contact !== null && (
          <>
            {' '}
            To appeal, write to{' '}
            <a href={`mailto:${contact}`} className="font-medium wrap-anywhere underline underline-offset-2">
              {contact}
            </a>
            .
          </>
        )}
      </p>
    </section>
  );
}

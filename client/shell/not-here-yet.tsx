/**
 * Stands in for a thing of the workspace that this device does not know while the server cannot be asked: it may exist.
 */
import { CloudOff } from 'lucide-react';
import { PageBar } from '#client/shell/page-bar.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';

/** The whole page; `what` is a kind, "thread" for example. */
export function NotHereYet({ what }: { what: string }) {
  return (
    <>
      <PageBar title="Not on this device" />
      <EmptyState icon={<CloudOff />} title={`This ${what} is not on this device`} className="pt-16">
        The server cannot be reached, so nobody can tell whether it exists. It opens by itself once you are
        online.
      </EmptyState>
    </>
  );
}

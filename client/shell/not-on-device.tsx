/**
 * Shown for an item of the workspace that is not on this device while the device is offline: the item may exist on the
 * server.
 */
import { PageBar } from '#client/shell/page-bar.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';

/** The whole page; `what` is a kind, "thread" for example. */
export function NotOnDevice({ what }: { what: string }) {
  return (
    <>
      <PageBar title="Not on this device" />
      <EmptyState title={`This ${what} is not on this device`} className="pt-16">
        You are offline, and it has not been opened on this device. It opens when you are online.
      </EmptyState>
    </>
  );
}

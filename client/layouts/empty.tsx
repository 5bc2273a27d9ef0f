// The bare layout: only a main landmark.
import { Outlet } from 'react-router';

/** Pages with their own frame. */
export function EmptyLayout() {
  return (
    <main id="main" tabIndex={-1} className="min-h-dvh outline-none">
      <Outlet />
    </main>
  );
}

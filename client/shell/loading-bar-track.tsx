/** The loading bar before anything loads: three pixels at the top edge, above everything. */
import { LOADING_BAR } from '#client/ui/timing.ts';

/** `progress` in percent. */
export function LoadingBarTrack({ visible = false, progress = 0, failed = false }) {
  return (
    <div
      aria-hidden="true"
      data-print="hide"
      data-testid="loading-bar"
      data-failed={failed ? '' : undefined}
      className="group pointer-events-none fixed inset-x-0 top-0 z-80 overflow-hidden transition-opacity duration-slow"
      style={{ height: LOADING_BAR.heightPx, opacity: visible ? 1 : 0 }}
    >
      <div
        className="h-full w-full origin-left bg-primary transition-transform duration-fast group-data-failed:bg-danger"
        style={{ transform: `scaleX(${progress / 100})` }}
      />
    </div>
  );
}

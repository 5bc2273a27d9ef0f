/**
 * A note that a form shows a restored draft, with a button to return to the stored values. The form stores the draft.
 */
import { Button } from '#client/ui/button.tsx';

/** Above the fields. */
export function RestoredDraftNote({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p className="flex items-center justify-between gap-3 rounded-card border border-line py-1 ps-3 pe-1 text-xs text-ink-muted">
      <span>Restored an unsaved draft.</span>
      <Button size="sm" variant="ghost" onClick={onDiscard}>
        Start over
      </Button>
    </p>
  );
}

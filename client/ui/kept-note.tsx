/**
 * Says that a form shows what was typed before and not saved, with a way back to what is stored.
 * Words and a button; keeping the text is the form's business.
 */
import { Button } from '#client/ui/button.tsx';

/** Above the fields. */
export function KeptNote({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p className="flex items-center justify-between gap-3 rounded-card border border-line py-1 ps-3 pe-1 text-xs text-ink-muted">
      <span>Typed before and not saved.</span>
      <Button size="sm" variant="ghost" onClick={onDiscard}>
        Start over
      </Button>
    </p>
  );
}

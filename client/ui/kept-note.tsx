/**
 * Says that a form shows what was typed before and not saved, with a way back to what is stored.
 * Words and a button; keeping the text is the form's business.
 */
import { Button } from '#client/ui/button.tsx';

/** Above the fields. */
export function KeptNote({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-card bg-sunken px-3 py-1.5 text-xs text-ink-muted">
      <span>This is what you typed last time and did not save.</span>
      <Button size="sm" variant="ghost" onClick={onDiscard}>
        Start over
      </Button>
    </p>
  );
}

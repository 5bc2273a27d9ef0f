/** What a language model wrote about an open memory, marked as such: its summary, and whether the title is its own, too. */
import { Sparkles, X } from 'lucide-react';
import { automaticOf } from '#shared/memories/automatic.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { forgetSummary } from '#client/memories/actions.ts';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';

/** Nothing where it wrote neither. */
export function AutomaticSummary({ row, editable = false }: { row: MemoryHead; editable?: boolean }) {
  const { summary, hasTitle } = automaticOf(row);
  if (summary === undefined && !hasTitle) return null;
  const by = summary === undefined ? 'Title' : hasTitle ? 'Title and summary' : 'Summary';
  return (
    <section aria-label="Written automatically" className="mt-3 border-s-2 border-line ps-3 text-ink-muted">
      {summary !== undefined && <p className="break-words">{summary}</p>}
      <p className="mt-1 flex min-h-7 items-center gap-1.5 text-xs text-ink-faint">
        <Sparkles aria-hidden="true" className="size-3.5 shrink-0" />
        {by} written by a language model
        {editable && summary !== undefined && (
          <PlainIconButton
            label="Remove the summary"
            title="Remove the summary"
            icon={<X />}
            size="sm"
            onClick={() => void forgetSummary(row)}
          />
        )}
      </p>
    </section>
  );
}

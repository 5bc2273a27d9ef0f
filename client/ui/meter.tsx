/**
 * A value within a range, for example storage used of storage allowed. Turns amber near the limit and red at it, and
 * also expresses that in text.
 */

interface MeterProps {
  label: string;
  value: number;
  max: number;
  /** The measure in words, "1.2 GB of 5 GB"; shown and announced. */
  text: string;
}

/** Label and words above the bar. */
export function Meter({ label, value, max, text }: MeterProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  const tone = share >= 1 ? 'bg-danger' : share >= 0.85 ? 'bg-warning' : 'bg-primary';
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-4 text-sm">
        <span className="font-medium">{label}</span>
        <span className="text-xs text-ink-muted tabular-nums">{text}</span>
      </div>
      <div className="relative h-1.5 overflow-hidden rounded-full bg-active forced-colors:border">
        <meter
          aria-label={label}
          max={max}
          value={Math.min(value, max)}
          aria-valuetext={text}
          className="sr-only"
        />
        <div
          aria-hidden="true"
          className={`h-full rounded-full forced-colors:bg-[Highlight] ${tone}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  );
}

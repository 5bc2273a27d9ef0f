/** Progress of a task: a thin line with an accessible value. For a lasting quantity (storage used) use a meter. */

/** `value` 0 to 1, or undefined while it cannot be known. */
export function Progress({ label, value }: { label: string; value: number | undefined }) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div className="relative h-1.5 w-full overflow-hidden rounded-full bg-active forced-colors:border">
      <progress aria-label={label} max={100} value={percent} className="sr-only" />
      <div
        aria-hidden="true"
        className={`h-full rounded-full bg-primary forced-colors:bg-[Highlight] transition-[width] duration-slow ${percent === undefined ? 'w-1/3 animate-breathe' : ''}`}
        style={percent === undefined ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}

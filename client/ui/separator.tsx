/**
 * A thin line between groups, optionally with a label. Decorative; headings convey the structure.
 */

/** `label` is for "or" between two ways to sign in. */
export function Separator({ label, className = '' }: { label?: string; className?: string }) {
  if (label === undefined) return <hr className={`border-line ${className}`} />;
  return (
    <div className={`flex items-center gap-3 text-xs text-ink-faint ${className}`}>
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      {label}
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
    </div>
  );
}

/**
 * A place whose changing text is announced without moving the focus.
 * Mount it before the text changes; a region that arrives with its text is often not read.
 */

/** `assertive` interrupts: only for faults that need the reader now. */
export function LiveRegion({ text, assertive = false }: { text: string; assertive?: boolean }) {
  return (
    <p
      role={assertive ? 'alert' : 'status'}
      aria-live={assertive ? 'assertive' : 'polite'}
      className="sr-only"
    >
      {text}
    </p>
  );
}

/**
 * A place whose changing text is announced without moving the focus.
 * Mount it before the text changes; a region that arrives with its text is often not read.
 */
export function LiveRegion({ text }: { text: string }) {
  return <output className="sr-only">{text}</output>;
}

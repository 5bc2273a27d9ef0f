/**
 * A text as a QR code, drawn as one path on white in both colour modes, because scanners expect dark on light.
 */
import { encode } from 'uqr';

/** `label` is what screen readers say. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-control bg-white ring-1 ring-line"
    >
      <path d={path} fill="#0f172a" />
    </svg>
  );
}

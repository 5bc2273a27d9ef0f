/**
 * An address as a QR code, drawn as one path on white in both colour modes, because scanners expect dark on light.
 */
import { encode } from 'uqr';

/** `url` is also what screen readers hear. */
export function ShareQr({ url }: { url: string }) {
  const { data, size } = encode(url, { border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={`QR code of ${url}`}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-control bg-white ring-1 ring-line"
    >
      <path d={path} fill="#0f172a" />
    </svg>
  );
}

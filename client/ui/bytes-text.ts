/**
 * A number of bytes as people read it.
 * Decimal units, as browsers and file managers show them.
 */

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** 812 → "812 B", 1_300_000 → "1.3 MB". */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit] ?? ''}`;
}

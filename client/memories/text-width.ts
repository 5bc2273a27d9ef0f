// The approximate width of a text, and its number of lines, without drawing it. The reader's font is not measured: a line too
// many leaves a little room, a line too few ends with an ellipsis.

/** Widths of characters in parts of the font size, for a sans-serif face. */
const NARROW = 0.3;
const NORMAL = 0.56;
const WIDE = 0.72;
const WIDEST = 0.9;
/** Chinese, Japanese and Korean, and emoji. */
const SQUARE = 1.02;

function partOf(code: number): number {
  if (code > 0x2e7f) return code >= 0xdc00 && code <= 0xdfff ? 0 : SQUARE;
  if (code > 0x7f) return NORMAL;
  const character = String.fromCharCode(code);
  if (' ijl.,:;\'|!()[]{}`"-/\\ftr'.includes(character)) return NARROW;
  if ('mwMW@%'.includes(character)) return WIDEST;
  return character >= 'A' && character <= 'Z' ? WIDE : NORMAL;
}

const PARTS = Float64Array.from({ length: 128 }, (_unused, code) => partOf(code));

/** Pixels of a text on one line in this font size. */
export function textWidth(text: string, fontSize: number): number {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    sum += PARTS[code] ?? partOf(code);
  }
  return sum * fontSize;
}

/** Part of a line that words leave free at its end, on average. */
const RAGGED = 0.06;

/** Number of lines for paragraphs of these widths, at most `most`. */
export function wrappedLines(widths: readonly number[], lineWidth: number, most: number): number {
  const usable = Math.max(1, lineWidth * (1 - RAGGED));
  let lines = 0;
  for (const width of widths) {
    // A text on one line has no ragged end.
    lines += width <= lineWidth ? 1 : Math.ceil(width / usable);
    if (lines >= most) return most;
  }
  return lines;
}

// The words of a Markdown text apart from its code.

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

/** Applies a change to the text outside of code. */
export function outsideCode(text: string, change: (words: string) => string): string {
  let at = 0;
  const parts: string[] = [];
  for (const { index, 0: code } of text.matchAll(CODE)) {
    parts.push(change(text.slice(at, index)), code);
    at = index + code.length;
  }
  parts.push(change(text.slice(at)));
  return parts.join('');
}

// Characters that PostgreSQL cannot store. A file of its own, because each process that reads a file loads it.

/** The text without NUL and lone surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

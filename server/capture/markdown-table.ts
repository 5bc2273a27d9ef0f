/** Beyond what a table of a text can show. */
const COLUMNS_MAX = 200;

/** A Markdown table, its first row the head; empty rows are left out. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
  const widest = filled.reduce((most, row) => Math.max(most, row.length), 0);
  const width = Math.min(COLUMNS_MAX, widest);
  const [head, ...body] = filled.map((row) => {
    const cells = Array.from({ length: width }, (_, index) => row[index] ?? '');
    return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll(/\s+/g, ' ')).join(' | ')} |`;
  });
  if (head === undefined) return '';
  return [head, `| ${Array.from({ length: width }, () => '---').join(' | ')} |`, ...body].join('\n');
}

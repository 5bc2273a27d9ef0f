/**
 * Text that was not written as Markdown, for example a passage of a page, so that it is shown as it is. Only marks that
 * would take effect are escaped, since people read and edit the result.
 */

const INSIDE = /[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w{1,31};)/gu;
/** Start of a line that would become a heading, list, quote, rule or table head. */
const BEGINNING = /^\d{1,9}(?=[.)](?:\s|$))|^(?=[-+=#>|:])/;

/** Lines stay lines, without the spaces around them. */
export function escapeText(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) =>
      line
        .trim()
        .replace(INSIDE, String.raw`\$&`)
        .replace(BEGINNING, '$&\\'),
    )
    .join('\n');
}

export function unescapeText(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

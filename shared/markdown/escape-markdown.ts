// Text of people inside a Markdown document of ours.

/** Escapes one line of text: no part of it may become a link, HTML or a heading. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|!~]/g, String.raw`\$&`).replace(/\s+/g, ' ');

/** The same for several lines, which stay lines. No line can begin a block: its marks and its colons are escaped too. */
export function escapeLines(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => {
      const words = escapeMarkdown(line.trim()).replace(/[:&]/g, String.raw`\$&`);
      return words.replace(/^(\d*)([-+=.)])/, String.raw`$1\$2`);
    })
    .join('\n');
}

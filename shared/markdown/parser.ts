// The Markdown parser for text of people: GitHub's flavour. Chosen because it is linear on the patterns of
// tests/support/hostile-markdown.ts but footnotes within footnotes, which the budget bounds. Raw HTML is recognised so
// that it can be left out.
import MarkdownIt from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { MARKDOWN } from './limits.ts';

/** Beyond maxDepth our own conversion stops; the parser's own limit, which drops text, must be higher. */
const PARSER_NESTING = MARKDOWN.maxDepth + 10;

/** Links as GitHub recognises them in bare text: with a scheme, beginning with `www.`, and addresses of mail. */
export function createParser() {
  const parser = new MarkdownIt('default', { html: true, linkify: true, maxNesting: PARSER_NESTING });
  parser.use(footnotes);
  parser.linkify.set({ fuzzyLink: false });
  parser.linkify.add('www.', {
    validate: (text, start) => {
      const host = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*(?:[/?#][^\s<]*)?/u.exec(
        text.slice(start, start + 2_048),
      );
      return host === null ? 0 : host[0].replace(/[?!.,:*_~'")\]]+$/, '').length;
    },
    normalize: (match) => {
      match.url = `http://${match.url}`;
    },
  });
  // Which addresses may be followed is decided by safe-link.ts; refused here, a link would lose its words' form.
  parser.validateLink = () => true;
  return parser;
}

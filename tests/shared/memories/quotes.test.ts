// Quotes of a page in notes: how they are written, read and edited, and where they are found again.
import { describe, expect, it } from 'vitest';
import { SearchedText } from '#shared/memories/find-quote.ts';
import {
  blockWithWords,
  editBlock,
  highlightBlock,
  QUOTE_MAX,
  quoteOfSelection,
  QUOTES_MAX,
  quotesIn,
} from '#shared/memories/quotes.ts';
import { parseMarkdown } from '#shared/markdown/parse-markdown.ts';

const URL_OF_PAGE = 'https://example.com/wiki/Rock_(sea)?a=1#top';

function textOf(markdown: string): string {
  const parsed: unknown[] = parseMarkdown(markdown) ?? [];
  const words = (node: unknown): string =>
    typeof node === 'string' ? node : Array.isArray(node) ? node.slice(2).map(words).join('') : '';
  return parsed.map(words).join('');
}

function searched(...pieces: readonly string[]): SearchedText {
  const text = new SearchedText();
  for (const piece of pieces) Array.from(text.add(piece));
  return text;
}

/** What is found of a passage. */
function found(text: string, exact: string, prefix = '', suffix = ''): string | undefined {
  const passage = searched(text).find({ exact, prefix, suffix });
  return passage && text.slice(passage.start, passage.end);
}

describe('a selection as a quote', () => {
  it('has a mark before every line, and one empty line between paragraphs', () => {
    expect(quoteOfSelection('  One\r\ntwo\n\n\n\nthree ')).toBe('> One\n> two\n>\n> three');
  });

  it('of nothing is nothing', () => {
    expect(quoteOfSelection(' \n\t')).toBe('');
  });

  it('can be stored whatever was selected', () => {
    const quote = quoteOfSelection(`a\0\uD800${'x'.repeat(QUOTE_MAX * 2)}`);
    expect(quote).not.toContain('\0');
    expect(quote.isWellFormed()).toBe(true);
    expect(quote.length).toBeLessThanOrEqual(QUOTE_MAX + 2);
  });

  it('of a hundred thousand lines is made and read at once', () => {
    const begun = performance.now();
    quoteOfSelection('\n'.repeat(100_000) + 'x'.repeat(10));
    quotesIn(quoteOfSelection('a\n'.repeat(100_000)));
    expect(quotesIn('> a\n\n'.repeat(20_000))).toHaveLength(QUOTES_MAX);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it.each([
    '<script>alert(1)</script> & <img src=x onerror=alert(1)>',
    '# Not a heading\n- not an item\n1. nor this\n> nor a quote\n| a | b |\n|---|---|',
    '*stars* _lines_ `code` ~~gone~~ [a link](javascript:alert(1)) snake_case \\*',
    '```\nfence\n```\n---\n===',
    '&lt;b&gt; &#60; AT&T',
  ])('shows marks as the page did: %s', (selection) => {
    const [quote] = quotesIn(quoteOfSelection(selection));
    expect(quote?.exact).toBe(selection);
    const shown = textOf(quoteOfSelection(selection)).replaceAll(/\s+/g, '');
    expect(shown).toBe(selection.replaceAll(/\s+/g, ''));
  });
});

describe('a highlight', () => {
  const quote = {
    exact: 'Barnacles glue themselves (head first) to rock.',
    prefix: 'It is said, ',
    suffix: ' And-so on',
  };

  it('is read as it was written, with words and what stands around it', () => {
    const [plain] = quotesIn(highlightBlock(quote, URL_OF_PAGE));
    if (plain === undefined) throw new Error('no quote');
    expect(plain).toMatchObject({
      ...quote,
      prefix: 'It is said,',
      suffix: 'And-so on',
      words: '',
      place: null,
    });
    const block = blockWithWords(plain, URL_OF_PAGE, 'Head first?\n\n> really\n# yes');
    const notes = `Before.\n\n${block}\n\nAfter.`;
    expect(quotesIn(notes)).toEqual([
      {
        exact: quote.exact,
        prefix: 'It is said,',
        suffix: 'And-so on',
        words: 'Head first?\n\n\\> really\n\\# yes',
        place: null,
        quoted: '> Barnacles glue themselves (head first) to rock.',
        block,
      },
    ]);
    expect(block.split('\n').at(-1)).toBe(
      '— [example.com](https://example.com/wiki/Rock_%28sea%29?a=1#top:~:text=It%20is%20said%2C-,' +
        'Barnacles%20glue%20themselves%20%28head%20first%29%20to%20rock.,-And%2Dso%20on)',
    );
  });

  it('names a long passage by its two ends', () => {
    const block = highlightBlock(
      { exact: `Begin ${'word '.repeat(2_000)}end`, prefix: '', suffix: '' },
      'https://example.com/',
    );
    expect(block.split('\n').at(-1)?.length).toBeLessThan(200);
  });

  it('of an import has its note and its page number', () => {
    expect(
      quotesIn('> One.\n\nMy note.\n\n— Page 12\n\n> Two.\n\nAn essay of mine.\n\n## More\n\n— Not of it'),
    ).toMatchObject([
      { exact: 'One.', words: 'My note.', place: 'Page 12' },
      { exact: 'Two.', words: '', place: null, block: '> Two.' },
    ]);
  });

  it('is no quote inside of code, and a broken address costs only its context', () => {
    expect(
      quotesIn('```\n> code\n```\n\n> quote\n\n— [x](https://x.example/#:~:text=%E0%A4%A-,b)'),
    ).toMatchObject([{ exact: 'quote', prefix: '', suffix: '' }]);
  });
});

describe('an edit of one quote', () => {
  it('leaves everything else as it is', () => {
    const one = editBlock('Mine.\n', { from: null, to: '> A' });
    const two = editBlock(one, { from: null, to: '> B' });
    expect(two).toBe('Mine.\n\n> A\n\n> B');
    expect(editBlock(two, { from: null, to: '> A' })).toBe(two);
    expect(editBlock(two, { from: '> A', to: '> A\n\nWords' })).toBe('Mine.\n\n> A\n\nWords\n\n> B');
    expect(editBlock(two, { from: '> A', to: null })).toBe('Mine.\n\n> B');
    expect(editBlock(two, { from: '> C', to: null })).toBe(two);
    expect(editBlock('> AB\n\n> A', { from: '> A', to: null })).toBe('> AB');
  });

  it('is refused where there is no room', () => {
    expect(() => editBlock('x'.repeat(99_999), { from: null, to: '> A' })).toThrow('no room');
  });
});

describe('a passage in a text', () => {
  it('is found whatever became of spaces, case, marks and lines', () => {
    expect(found('A “quick” brown\n  fox\u00A0jumps.', 'quick BROWN fox, jumps')).toBe(
      'quick” brown\n  fox\u00A0jumps',
    );
    expect(found('Straße 5, İzmir', 'STRASSE 5')).toBeUndefined();
    expect(found('Straße 5, İzmir', 'izmir')).toBe(undefined);
    expect(found('見出し。本文です', '本文')).toBe('本文');
    expect(found('…!?', '…')).toBeUndefined();
  });

  it('is found among equal ones by what surrounds it', () => {
    const text = 'one tide two. three tide four. five tide six.';
    const at = (prefix: string, suffix: string) =>
      searched(text).find({ exact: 'tide', prefix, suffix })?.start;
    expect([at('three ', ' four'), at('five', ''), at('', 'two'), at('', '')]).toEqual([20, 36, 4, 4]);
  });

  it('is found across pieces, and when words inside of it changed', () => {
    const passage = searched('Head ', 'first', ' on rock').find({
      exact: 'first on',
      prefix: '',
      suffix: '',
    });
    expect(passage).toEqual({ start: 5, end: 13 });
    const before =
      'Barnacles glue themselves to rock of every colour head first and then kick food into their mouths with their feet.';
    const now = before.replace('colour', 'color');
    expect(found(`${now} More.`, before)).toBe(now.slice(0, -1));
    const other = before.replace('food', 'x'.repeat(500));
    expect(found(other, before)).toBeUndefined();
  });

  it('of repeated letters costs little', () => {
    const text = searched('a'.repeat(1_000_000));
    const begun = performance.now();
    const exact = `${'a'.repeat(QUOTE_MAX - 1)}b`;
    expect(text.find({ exact, prefix: 'a'.repeat(32), suffix: 'b' })).toBeUndefined();
    expect(performance.now() - begun).toBeLessThan(500);
  });
});

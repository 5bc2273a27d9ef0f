// Passages and answers without a server: structure, limits, and text that was made to be slow.
import { fc } from '#tests/support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/constants.ts';
import { newId } from '#shared/ids.ts';
import { citationsIn, titlesAlone } from '#shared/threads/answer-sources.ts';
import { extractAnswer, writeExtractiveAnswer } from '#shared/threads/extractive-answer.ts';
import { passagesOf } from '#shared/threads/passages.ts';
import { searchWordsOf, standaloneQuestion } from '#shared/threads/question-words.ts';
import { showsPassage } from '#shared/threads/shown-passage.ts';
import { cpuMs } from '#tests/support/cpu-time.ts';
import { HOSTILE_MARKDOWN } from '#tests/support/hostile-markdown.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';

const NOTE = `# Bread

Intro with **bold** and [a link](https://example.org).

## Times

| when | what |
| ---- | ---- |
| 8:00 | mix  |

- fold
- shape

\`\`\`sh
bake --at 240
\`\`\`
`;

const source = (title: string, text: string, score = 1) => ({
  id: newId('memory'),
  title,
  texts: [text],
  score,
});
const wordsIn = (text: string) => text.split(/[\s·]+/).filter(Boolean);

describe('what is near by meaning', () => {
  const oven = {
    ...source('Workshop', 'The furnace burns at 1240 degrees.\n\nIt stands\n\nin the yard.'),
    score: 0.5,
  };

  it('is quoted although it shares no word with the question', () => {
    expect(extractAnswer('How hot is my kiln?', [oven]).quotations).toEqual([]);
    const near = [passagesOf(oven.texts[0] ?? '')[0]?.text ?? ''];
    const { quotations, coverage } = extractAnswer('How hot is my kiln?', [{ ...oven, near }]);
    expect(quotations.map(({ memoryId }) => memoryId)).toEqual([oven.id]);
    // No word of the question is covered, so the answer does not call itself close.
    expect(coverage).toBe(0);
  });

  it('stands beside what has the words, and is quoted once', () => {
    const kiln = source('Kiln', 'My kiln is hot.');
    const other = source('Other', 'Nothing of the kind is said here.');
    const near = ['The furnace burns at 1240 degrees. It stands · in the yard.'];
    const { quotations } = extractAnswer('How hot is my kiln?', [kiln, { ...oven, near }, other]);
    expect(quotations.map(({ memoryId }) => memoryId)).toEqual([kiln.id, oven.id]);
  });

  it('is a whole passage, never a part of another one', () => {
    const part = source('Part', 'yard');
    const { quotations } = extractAnswer('How hot is my kiln?', [{ ...part, near: ['The yard is wide.'] }]);
    expect(quotations).toEqual([]);
  });
});

describe('passages', () => {
  it('follow the structure of a text and carry its headings', () => {
    expect(passagesOf(NOTE)).toEqual([
      { text: 'Intro with bold and a link.', heading: 'Bread', isCode: false },
      { text: 'when · what. 8:00 · mix. fold · shape', heading: 'Bread › Times', isCode: false },
      { text: 'bake --at 240', heading: 'Bread › Times', isCode: true },
    ]);
  });

  it('of a conversation name who speaks, also where a long turn is cut', () => {
    const long = 'The ferry was late again and the harbour was full of people who waited for it. '.repeat(9);
    const talk = `# Porto\n\n2024-02-03\n\n**Nora:** Did you get the flat?\nEli: Yes, on Friday.\nIt has a balcony.\n\nNora: How was the way there?\n\n[18:02] Eli: ${long}`;
    const passages = passagesOf(talk);
    const at = 'Porto › 2024-02-03';
    expect(passages[0]).toEqual({
      text: 'Nora: Did you get the flat? Eli: Yes, on Friday. It has a balcony. Nora: How was the way there?',
      heading: at,
      isCode: false,
    });
    expect(passages[1]?.text).toMatch(/^\[18:02\] Eli: The ferry/);
    expect(passages.slice(1).map(({ heading }) => heading)).toEqual([
      at,
      `${at} › Eli, 18:02`,
      `${at} › Eli, 18:02`,
    ]);
  });

  it.each([
    ['a label', 'Note: buy flour.\nNote: and salt.', ['']],
    ['each speaking once', 'Nora: Hello.\nEli: Hello.', ['']],
    ['a date within a sentence', '2024-02-03 was a Saturday.\n\nIt rained.', ['']],
    [
      'dates',
      '2024-02-03\n\nIt rained.\n\nMonday, 5 February 2024\n\nSnow.',
      ['2024-02-03', 'Monday, 5 February 2024'],
    ],
    ['a date and a heading', '3 May 2023\n\nSun.\n\n# Trips\n\nWind.', ['3 May 2023', 'Trips']],
  ])('of a text with %s', (_what, text, headings) => {
    expect(passagesOf(text).map(({ heading }) => heading)).toEqual(headings);
  });

  it('of prose have every word once', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 80 }), { maxLength: 20 }), (paragraphs) => {
        const passages = passagesOf(paragraphs.join('\n\n'));
        expect(passages.flatMap(({ text }) => wordsIn(text))).toEqual(paragraphs.flatMap(wordsIn));
      }),
    );
  });

  it('of any text are short and of whole characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
        for (const passage of passagesOf(text)) {
          expect(passage.text.length).toBeLessThanOrEqual(500);
          expect(passage.text.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  // Far more than plain text of this length takes, far less than a quadratic pattern would.
  it.each(IS_WHOLE ? Object.entries(HOSTILE_MARKDOWN) : [])('of %s do not take long', (_name, make) => {
    const text = make(LIMITS.message);
    expect(cpuMs(() => passagesOf(text))).toBeLessThan(2_000);
  });
});

describe('an extractive answer', () => {
  it('quotes the passage that speaks of what was asked, and cites its memory', () => {
    const bread = source('bread', 'Feed the starter.\n\n# Day\n\nBake the bread at six in the evening.');
    const tiles = source('tiles', 'The tiles were bought in Lisbon.', 0.9);
    const answer = extractAnswer('When do I bake the bread?', [bread, tiles]);
    const text = 'Bake the bread at six in the evening.';
    expect(answer.quotations[0]).toEqual({ memoryId: bread.id, isCode: false, text });
    expect(answer.quotations.map(({ memoryId }) => memoryId)).not.toContain(tiles.id);
  });

  it('quotes what says something rather than a short line below a fitting title', () => {
    const says =
      'Everything else looks good, so only this one file goes back to what it was before. With a source given, the tool knows from which commit of the history the file comes, and leaves the other ones alone.';
    const { quotations } = extractAnswer('How do I undo the last commit?', [
      source('Undo the last commit', `${says}\n\n## Source\n\nThe manual.`),
      source('Tiles', 'The tiles were bought in Lisbon, where the yard is wide and the kiln is hot.', 0.9),
    ]);
    expect(quotations[0]?.text).toBe(says);
  });

  it('quotes other memories before a second passage of the same one, where it is asked to', () => {
    const long = source(
      'Kiln',
      '## Hot\n\nThe kiln burns at 1240 degrees.\n\n## Cold\n\nThe kiln loses 90 degrees an hour.',
    );
    const others = Array.from({ length: 6 }, (_, place) =>
      source(
        `Note ${place}`,
        `The kiln in yard ${place} is another one, and I do not know how many degrees it has.`,
        0.8,
      ),
    );
    const quoted = (again: number) => {
      const choice = { most: 6, perMemory: 2, nearBest: 0.1, again, also: 0 };
      const { quotations } = extractAnswer('degrees of the kiln', [long, ...others], { choice });
      return new Set(quotations.map(({ memoryId }) => memoryId)).size;
    };
    expect([quoted(1), quoted(0.5)]).toEqual([5, 6]);
  });

  it('quotes passages of a memory that follow each other as one, in the order of the text', () => {
    const filler = 'and the yard is swept before anybody goes home, as it has been done there for years';
    const cooling = `After the firing the kiln cools for two days ${filler}. ${filler}. ${filler}.`;
    const firing = `The firing of the kiln takes nine hours at 1240 degrees; firing it twice breaks it ${filler}. ${filler}.`;
    const cut = `The kiln ${'glows '.repeat(90)}in the dark.`;
    const cases = {
      joined: `${cooling}\n\n${firing}`,
      'below headings of their own': `${cooling}\n\n## Firing\n\n${firing}`,
      'with code between': `${cooling}\n\n    kiln --on\n\n${firing}`,
      cut,
    };
    const quoted = Object.fromEntries(
      Object.entries(cases).map(([name, text]) => {
        const { quotations } = extractAnswer('firing of the kiln, glows', [source('Pots', text)]);
        return [name, quotations.map(({ text: words }) => words)];
      }),
    );
    expect(quoted).toEqual({
      joined: [`${cooling} ${firing}`],
      'below headings of their own': [firing, cooling],
      'with code between': [firing, cooling],
      cut: [cut],
    });
  });

  it('keeps the text of memories from becoming anything but text', () => {
    const answer = extractAnswer('bread', [
      source('a', 'bread \\<img src=x> !\\[x](https://evil.example/y) `*_`'),
    ]);
    const content = writeExtractiveAnswer(answer, 'person');
    expect(content).not.toMatch(/(?<!\\)[<[]/);
    expect(content.split('\n').at(-1)).toMatch(/^> /);
  });

  it('fences code so that it cannot end its block', () => {
    const answer = extractAnswer('bake', [source('a', '~~~\nbake\n```\n# out\n~~~')]);
    expect(writeExtractiveAnswer(answer, 'person')).toContain(
      '> ````\n> bake\n> ```\n> # out\n> ````\n> \\[1\\]',
    );
  });

  it('names memories that it does not quote, by the numbers that follow', () => {
    const sources = Array.from({ length: 12 }, (_, place) =>
      source(`Note ${place}`, `The kiln in yard ${place} is hot.\n\nThe kiln in hall ${place} is cold.`),
    );
    const answer = extractAnswer('Is the kiln hot?', sources);
    const cited = citationsIn(answer).map(({ memoryId }) => memoryId);
    expect(answer.quotations).toHaveLength(6);
    expect(new Set(cited).size).toBe(10);
    expect(writeExtractiveAnswer(answer, 'person')).toMatch(
      /\\\[6\\\]\n\nSee also \\\[7\\\] \\\[8\\\] \\\[9\\\] \\\[10\\\]$/,
    );
  });

  it('says that nothing was read where there was no time for it', () => {
    const content = writeExtractiveAnswer(titlesAlone([source('a', 'bread')]), 'person');
    expect(content).toMatch(/^There was not enough time to read your memories\./);
  });

  it('fits into a message whatever it quotes', () => {
    const long = (word: string) => `${word} ${'\\*_['.repeat(2_000)}. `.repeat(20);
    const sources = ['one', 'two', 'three', 'four'].map((id) => source(id, long('bread')));
    const content = writeExtractiveAnswer(extractAnswer('bread', sources), 'public');
    expect(content.length).toBeLessThanOrEqual(LIMITS.message);
  });

  it('shows its passages, so that they need not be shown again', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200 }), (text) => {
        const quotations = passagesOf(text).map((passage) => ({ ...passage, memoryId: newId('memory') }));
        const content = writeExtractiveAnswer({ quotations, also: [], coverage: 1 }, 'person');
        for (const quoted of quotations) expect(showsPassage(content, quoted.text)).toBe(true);
      }),
    );
  });
});

describe('a question', () => {
  it('leans on the one before it when it says little itself', () => {
    const bread = 'How do I bake bread?';
    expect(standaloneQuestion('And how long?', [bread])).toBe(`${bread}\nAnd how long?`);
    expect(standaloneQuestion('Where are the blue tiles?', [bread])).toBe('Where are the blue tiles?');
    expect(standaloneQuestion('And how long?', [])).toBe('And how long?');
    expect(standaloneQuestion('And how long?', ['And how long? ', bread])).toBe(`${bread}\nAnd how long?`);
  });

  it.each([
    ['And how?', ['And why?', 'When do mussels close?'], ['When do mussels close?']],
    [
      'And how long?',
      ['And in winter?', 'When do mussels close?', 'Who mends the roof?'],
      ['When do mussels close?', 'And in winter?'],
    ],
    ['What does she grow in the greenhouse?', ['Where does Marta live?'], ['Where does Marta live?']],
    ['Where did I buy it in winter?', ['Which kiln burns hottest?'], ['Which kiln burns hottest?']],
    ['When did Marta say she would sell the boat?', ['Who mends the roof?'], []],
    ['Is it cheaper to renew a passport by post?', ['Who mends the roof?'], []],
    ['And why?', ['Limpets?', 'When do mussels close?'], ['Limpets?']],
    ['And why?', ['And how?'], []],
  ])('follows “%s” back as far as it refers', (question, earlier, before) => {
    expect(standaloneQuestion(question, earlier)).toBe([...before, question].join('\n'));
  });

  it('asks the search for words, never with its operators', () => {
    expect(searchWordsOf('is tag:sql "a b" -c (d) e-mail?', 100)).toBe('is tag sql a b c d e mail');
    expect(searchWordsOf('abc '.repeat(100), 10)).toBe('abc abc');
  });
});

/**
 * Markdown as notes are written: CommonMark with tables, tasks, struck-through text and bare addresses, and with limits
 * under which hostile texts are read in time: the parser pauses between blocks only, never within one.
 */
import { commonmarkLanguage, markdownLanguage } from '@codemirror/lang-markdown';
import { Language } from '@codemirror/language';
import {
  Autolink,
  MarkdownParser,
  Strikethrough,
  Table,
  TaskList,
  type MarkdownConfig,
} from '@lezer/markdown';

const LIMITS = {
  /** Characters of a paragraph whose inline marks are read; of a longer one it is the text alone. */
  paragraph: 4_000,
  /** Lists and quotes inside each other. */
  depth: 24,
  /** Characters of the head of a table. */
  tableHead: 2_000,
} as const;

const limits: MarkdownConfig = {
  parseInline: [
    {
      name: 'LongParagraph',
      before: 'Escape',
      parse: (context) => (context.end - context.offset > LIMITS.paragraph ? context.end : -1),
    },
  ],
  parseBlock: [
    {
      name: 'DeepBlock',
      before: 'IndentedCode',
      parse(context, line) {
        if (context.depth <= LIMITS.depth) return false;
        const { lineStart } = context;
        context.addElement(context.elt('Paragraph', lineStart + line.pos, lineStart + line.text.length));
        context.nextLine();
        return true;
      },
    },
  ],
};

const tables: MarkdownConfig = {
  ...Table,
  parseBlock: Table.parseBlock?.map((rule) => ({
    ...rule,
    leaf: (context, leaf) =>
      leaf.content.length > LIMITS.tableHead ? null : (rule.leaf?.(context, leaf) ?? null),
  })),
};

function parserOf({ parser }: Language): MarkdownParser {
  if (parser instanceof MarkdownParser) return parser;
  throw new TypeError('The language has another parser than Markdown');
}

/** With the data of the package's own language, by which its commands recognise Markdown. */
export const noteLanguage = new Language(
  markdownLanguage.data,
  parserOf(commonmarkLanguage).configure([tables, TaskList, Strikethrough, Autolink, limits]),
  [],
  'markdown',
);

/**
 * The project's own questions, each with the memories that hold its answer: about eight long dialogues, where each day
 * that two people talked is one memory, and about notes of everyday life. Written before anything was tuned on them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SearchDocument } from '#shared/search/search-document.ts';

const FOLDER = path.resolve(import.meta.dirname, '../fixtures/questions');

export const QUESTION_KINDS = ['single', 'several', 'when', 'open', 'paraphrase'] as const;
/** Settings are chosen on the questions of `tune`; of those of `held` only totals are read. */
export const QUESTION_HALVES = ['tune', 'held'] as const;

export interface LabelledQuestion {
  /** The dialogue that it is about, or the notes. */
  source: string;
  kind: (typeof QUESTION_KINDS)[number];
  half: (typeof QUESTION_HALVES)[number];
  question: string;
  /** Ids of the documents that hold the answer. */
  evidence: readonly string[];
}

export interface QuestionSet {
  documents: (SearchDocument & { source: string })[];
  questions: LabelledQuestion[];
}

/** Each `NAME.md` has a section for each memory, and `NAME.txt` a line for each question: kind, evidence, words. */
export function readQuestionSet(): QuestionSet {
  const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []));
  const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');
  const documents = names.flatMap((name) => documentsIn(name, read(`${name}.md`)));
  const known = new Set(documents.map(({ id }) => id));
  const questions = names.flatMap((name) => questionsIn(name, read(`${name}.txt`)));
  const strays = questions.filter(({ evidence }) => !evidence.every((id) => known.has(id)));
  if (strays.length > 0) throw new Error(`No such memory: ${strays.map((one) => one.question).join(', ')}`);
  return { documents, questions };
}

function documentsIn(source: string, markdown: string): QuestionSet['documents'] {
  const [head = '', ...sections] = markdown.split(/^## /m);
  const who = head.replace('#', '').trim();
  return sections.map((section) => {
    const [line = '', ...rest] = section.split('\n');
    // A note has a key and a title beside its date, a day of a dialogue is called after those who talk.
    const [, key, date = '', title] = /^(?:(\S+) )?(\d{4}-\d\d-\d\d)(?: (.*))?$/.exec(line) ?? [];
    const time = Date.parse(`${date}T18:00:00Z`);
    const day = new Date(time).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    return {
      source,
      id: `${source}/${key ?? date}`,
      title: title ?? `${who}, ${day}`,
      notes: rest.join('\n').trim(),
      tags: [],
      description: '',
      summary: '',
      url: '',
      spaceIds: [],
      type: 'note',
      origin: 'import',
      archived: false,
      created: time,
      stamp: 0,
    };
  });
}

function questionsIn(source: string, lines: string): LabelledQuestion[] {
  return lines
    .trim()
    .split('\n')
    .map((line, index) => {
      const [kindName, keys = '', question = ''] = line.split(' | ');
      const kind = QUESTION_KINDS.find((each) => each === kindName);
      if (kind === undefined) throw new Error(`No kind of question: ${line}`);
      const evidence = keys.split(' ').map((key) => `${source}/${key}`);
      return { source, kind, half: index % 2 === 0 ? 'tune' : 'held', question, evidence };
    });
}

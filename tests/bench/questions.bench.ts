/**
 * How well questions find the memories that hold their answers, on a device and on the server, and how well the built-in
 * answers quote them. Beside it BM25 over Porter's stems without stop words, over the same texts.
 */
import { LIMITS } from '#shared/constants.ts';
import { ANSWERS } from '#shared/threads/limits.ts';
import type { Id } from '#shared/ids.ts';
import { SearchIndex } from '#shared/search/search-index.ts';
import { findForQuestion } from '#shared/threads/question-search.ts';
import { bestSources, citationsIn, scoresOf } from '#shared/threads/answer-sources.ts';
import { extractAnswer } from '#shared/threads/extractive-answer.ts';
import { searchWordsOf } from '#shared/threads/question-words.ts';
import { findMemories } from '#server/memories/service.ts';
import { readWordVectors } from '#server/search/word-vectors.ts';
import { asPerson } from '#server/sync/readable.ts';
import { isStopWord, plainBm25 } from '#tests/support/plain-bm25.ts';
import { porterStem } from '#tests/support/porter-stem.ts';
import {
  QUESTION_HALVES,
  QUESTION_KINDS,
  readQuestionSet,
  type LabelledQuestion,
  type QuestionSet,
} from '#tests/support/question-set.ts';
import type { BenchRow } from './bench-row.ts';
import { openBenchWorld, openWorkspace, writeDocuments } from './bench-world.ts';

const wordVectors = readWordVectors();
const DEPTHS = [5, 10] as const;
const DEPTH = 10;
/** On which the questions are asked. */
const DAY = '2026-11-30';
/** What is asked for beside BM25; where that leaves next to no room, only not to fall behind. */
const TARGET = { ratio: 1.03, room: 0.97, cited: 0.85 } as const;

/** Hits for the words of a question, best first. */
type Find = (query: string, limit: number) => Promise<{ id: string; score: number }[]>;

/** What one question brought. */
interface Asked extends LabelledQuestion {
  found: string[];
  cited: string[];
}

export async function* run(): AsyncGenerator<BenchRow[]> {
  const set = readQuestionSet();
  const plain = askPlain(set);
  const device = await askDevice(set);
  yield [...recallRows('device', device, plain), ...citationRows('device', device)];
  // A new workspace has few memories: each dialogue, and the notes, in one of its own.
  const sets = apart(set);
  const few = (await Promise.all(sets.map(askDevice))).flat();
  yield recallRows('device, few', few, sets.flatMap(askPlain), ['all']);
  const server = await onServer(set);
  yield [...recallRows('server', server, plain), ...citationRows('server', server)];
}

function apart({ documents, questions }: QuestionSet): QuestionSet[] {
  const names = new Set(documents.map(({ source }) => source));
  return [...names].map((name) => ({
    documents: documents.filter(({ source }) => source === name),
    questions: questions.filter(({ source }) => source === name),
  }));
}

async function askDevice(set: QuestionSet): Promise<Asked[]> {
  const index = SearchIndex.build(set.documents);
  return askAll(set, async (query, limit) => index.search(query, { limit, wordVectors }).hits);
}

function askPlain({ documents, questions }: QuestionSet): Asked[] {
  const find = plainBm25(documents, { stem: porterStem, isLeftOut: isStopWord, depth: DEPTH });
  return questions.map((one) => ({ ...one, found: find(one.question), cited: [] }));
}

async function askAll({ documents, questions }: QuestionSet, find: Find): Promise<Asked[]> {
  // What answers are made from; ids of documents stand for those of memories.
  const sources = documents.map(({ id, title, notes }) => ({
    id: id as Id<'memory'>,
    title,
    texts: [notes],
  }));
  const asked: Asked[] = [];
  for (const one of questions) {
    const query = searchWordsOf(one.question, LIMITS.searchQuery);
    const hits = await find(query, DEPTH);
    const { hits: found } = await findForQuestion(
      { text: one.question, day: DAY },
      { find: (words) => find(words, ANSWERS.memories), namesOf: async () => [] },
    );
    const scores = scoresOf(found, []);
    const answer = extractAnswer(one.question, bestSources(scores, sources, ANSWERS.memories), {
      wordVectors,
    });
    asked.push({
      ...one,
      found: hits.map(({ id }) => id),
      cited: citationsIn(answer).map(({ memoryId }) => memoryId),
    });
  }
  return asked;
}

async function onServer(set: QuestionSet): Promise<Asked[]> {
  const world = await openBenchWorld();
  try {
    const workspaceId = await openWorkspace(world, 'questions');
    const ids = await writeDocuments(world, workspaceId, set.documents);
    const documentOf = new Map<string, string>(ids.map((id, place) => [id, set.documents[place]?.id ?? '']));
    const reader = { workspaceId, ...asPerson(world.userId) };
    return await askAll(set, async (query, perPage) => {
      const body = {
        workspaceId,
        query,
        perPage,
        page: 1,
        archived: false,
        mode: 'text' as const,
      };
      const { hits } = await findMemories(world.context, reader, body);
      return hits.map(({ id, score }) => ({ id: documentOf.get(id) ?? '', score }));
    });
  } finally {
    await world.close();
  }
}

/** A judged row has a target; the others tell by kind where a total comes from. */
function row(
  id: string,
  scenario: string,
  value: number,
  reference: { name: string; value: number; target: number | undefined },
): BenchRow {
  const { name, target } = reference;
  const ratio = value / reference.value;
  return {
    id,
    scenario,
    ratio,
    unit: 'of 1',
    subject: {
      p50: value,
      p95: value,
    },
    reference: {
      name,
      p50: reference.value,
      p95: reference.value,
    },
    target: target === undefined ? '' : `>= ${target}x`,
    verdict: target === undefined ? 'info' : ratio >= target ? 'met' : 'missed',
  };
}

function recallRows(
  side: string,
  ours: readonly Asked[],
  plain: readonly Asked[],
  kinds: readonly string[] = [...QUESTION_KINDS, 'all'],
): BenchRow[] {
  return QUESTION_HALVES.flatMap((half) =>
    kinds.flatMap((kind) =>
      DEPTHS.map((depth) => {
        const isMeant = (one: Asked) => one.half === half && (kind === 'all' || one.kind === kind);
        const recall = (asked: readonly Asked[]) =>
          mean(asked.filter(isMeant).map(({ evidence, found }) => shareOf(evidence, found.slice(0, depth))));
        const value = recall(plain);
        const target = kind !== 'all' ? undefined : value > TARGET.room ? 1 : TARGET.ratio;
        const scenario = `evidence of ${ours.filter(isMeant).length} questions, recall@${depth}`;
        const reference = { name: 'BM25 over Porter stems', value, target };
        return row(`19 ${side} ${half} ${kind} @${depth}`, scenario, recall(ours), reference);
      }),
    ),
  );
}

/** Of the built-in answers: how much of the evidence they cite, and whether the first citation is evidence. */
function citationRows(side: string, ours: readonly Asked[]): BenchRow[] {
  return QUESTION_HALVES.flatMap((half) => {
    const asked = ours.filter((one) => one.half === half);
    const recall = mean(asked.map(({ evidence, cited }) => shareOf(evidence, cited)));
    const first = mean(asked.map(({ evidence, cited }) => shareOf(cited.slice(0, 1), evidence)));
    const scenario = `built-in answers to ${asked.length} questions`;
    const wanted = { name: 'wanted', value: TARGET.cited, target: 1 };
    return [
      row(`19 ${side} ${half} cited`, `${scenario}, evidence cited`, recall, wanted),
      row(`19 ${side} ${half} first`, `${scenario}, evidence cited first`, first, {
        ...wanted,
        target: undefined,
      }),
    ];
  });
}

/** The share of the first ids that are among the second; 0 of none. */
function shareOf(ids: readonly string[], among: readonly string[]): number {
  return ids.length === 0 ? 0 : ids.filter((id) => among.includes(id)).length / ids.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Answers a question from the data on this device, as the server does for a thread of one person: the same search, the same
 * passages, the same words. Loaded with the first question that needs it.
 */
import { ANSWERS } from '#shared/threads/limits.ts';
import type { Head } from '#shared/entities.ts';
import { hasRemoteBody, pageHashOf } from '#shared/memories/memory-kinds.ts';
import type { SearchRequest, SearchResult } from '#shared/search/run-search.ts';
import {
  bestSources,
  citationsIn,
  questionOf,
  scoresOf,
  sourceTitle,
  titlesOf,
} from '#shared/threads/answer-sources.ts';
import type { Citation } from '#shared/threads/citation.ts';
import { writeExtractiveAnswer, type AnswerSource } from '#shared/threads/extractive-answer.ts';
import type { Message } from '#shared/threads/message.ts';
import { findForQuestion } from '#shared/threads/question-search.ts';
import type { ReplicaView } from '#client/replica/view.ts';

/** Text and sources, as a message of the assistant has them. */
export interface DeviceAnswer {
  content: string;
  citations: readonly Citation[];
}

export interface AnswerMaterial {
  /** The rows as they are at that moment. */
  view(): ReplicaView;
  /** Undefined when no workspace is open any more. */
  search(
    query: string,
    request: SearchRequest & { channel?: string },
  ): Promise<Pick<SearchResult, 'hits'> | undefined>;
  /** Those of the long texts that are on this device, by hash. */
  findTexts(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Writes the answer; does not block. */
  write(question: string, sources: readonly AnswerSource[]): Promise<DeviceAnswer>;
}

/** Undefined when the workspace was left meanwhile. */
export async function answerOnDevice(
  message: Pick<Message, 'id' | 'threadId' | 'content' | 'createdAt' | 'createdBy'>,
  material: AnswerMaterial,
): Promise<DeviceAnswer | undefined> {
  const view = material.view();
  const question = questionOf(message, earlierQuestions(view, message));
  const { memoryIds = [], spaceIds = [] } = question.named;
  const spaces = spaceIds.filter((id) => view.get('space', id) !== undefined);
  const isLimited = spaceIds.length > 0;
  const isSearched = isLimited ? spaces.length > 0 : memoryIds.length === 0;
  let isOpen = true;
  const search = async (query: string) => {
    const found = await material.search(query, {
      channel: `answer ${message.id} ${query}`,
      limit: ANSWERS.memories,
      ...(isLimited && { spaceIds: spaces }),
    });
    isOpen &&= found !== undefined;
    return found?.hits ?? [];
  };
  const namesOf = async (found: readonly { id: string }[]) =>
    found.flatMap(({ id }) => material.view().get('memory', id) ?? []);
  const { hits, period } = isSearched
    ? await findForQuestion(question, { find: search, namesOf })
    : { hits: [] };
  if (!isOpen) return undefined;
  const scores = scoresOf(hits, memoryIds);
  const texts = await readTexts(material, [...scores.keys()]);
  const sources = bestSources(scores, texts, ANSWERS.memories);
  // What is named beside the spaces may be of another time.
  if (period === undefined || memoryIds.length > 0) return material.write(question.text, sources);
  const found = titlesOf(period, sources);
  return { content: writeExtractiveAnswer(found, 'person'), citations: citationsIn(found) };
}

/** Earlier messages of the same person in the thread, newest first. */
function earlierQuestions(
  view: ReplicaView,
  { id, threadId, createdAt, createdBy }: Pick<Message, 'id' | 'threadId' | 'createdAt' | 'createdBy'>,
): string[] {
  return view
    .messagesOf(threadId)
    .filter((one) => one.role === 'user' && one.createdBy === createdBy)
    .filter((one) => one.createdAt < createdAt || (one.createdAt === createdAt && one.id < id))
    .toReversed()
    .slice(0, ANSWERS.earlierMax)
    .map(({ content }) => content);
}

async function readTexts(
  { view, findTexts }: AnswerMaterial,
  ids: readonly string[],
): Promise<Omit<AnswerSource, 'score'>[]> {
  const rowsNow = () => ids.flatMap((id) => view().get('memory', id) ?? []);
  const hashes = rowsNow().flatMap((row) => [bodyHashOf(row) ?? [], pageHashOf(row) ?? []].flat());
  const texts = await findTexts(hashes);
  // Read again: a memory may have been deleted while its texts were looked for.
  return rowsNow().map((row) => {
    // Of a long note that is not here, its beginning is.
    const notes = row.notes ?? texts.get(bodyHashOf(row) ?? '') ?? row.beginning;
    const all = [notes, row.description, row.summary, texts.get(pageHashOf(row) ?? '')];
    return {
      id: row.id,
      title: sourceTitle(row),
      texts: all.flatMap((text) => (text ? [text.slice(0, ANSWERS.textMax)] : [])),
    };
  });
}

function bodyHashOf(row: Head<'memory'>): string | undefined {
  return hasRemoteBody(row) ? (row.bodyHash ?? undefined) : undefined;
}

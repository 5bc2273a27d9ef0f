// Answers one message of a thread from its author's memories, in the words of a language model where there is one. The answer
// is computed outside of any transaction, with that person's access or, where others read the thread, with theirs; it is stored
// in a transaction that checks all of this again. So a job that is delivered twice, or whose server is killed, neither answers
// twice nor quotes text that has become private since.
import { sql, type RawBuilder } from 'kysely';
import { ANSWERS } from '#shared/threads/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Memory } from '#shared/memories/memory.ts';
import { memoryEndpoints } from '#shared/memories/endpoints.ts';
import { anonymousReads, workspaceReads, type Visibility } from '#shared/spaces/visibility.ts';
import type { Citation } from '#shared/threads/citation.ts';
import {
  bestSources,
  citationsIn,
  questionOf,
  scoresOf,
  titlesOf,
  type AskedQuestion,
} from '#shared/threads/answer-sources.ts';
import { findForQuestion } from '#shared/threads/question-search.ts';
import type { Period } from '#shared/threads/question-time.ts';
import type { Message } from '#shared/threads/message.ts';
import {
  writeExtractiveAnswer,
  type AnswerReach,
  type AnswerSource,
  type ExtractiveAnswer,
  type PassageChoice,
} from '#shared/threads/extractive-answer.ts';
import type { Context } from '../context.ts';
import { isTextPublished } from '../db/memory-followers.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { writeInRealm } from '../db/transaction.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import type { JobPayload } from '../jobs/jobs.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { TIMEOUTS } from '../limits.ts';
import { findMemories } from '../memories/service.ts';
import { AnswerModelError } from '../providers/answer-model.ts';
import {
  readableBy,
  readableByAll,
  readableByReadersOf,
  readerIn,
  type WorkspaceReader,
} from '../sync/readable.ts';
import { takeDraft } from './answer-drafts.ts';
import { answeringModel, findAnswering } from './answering.ts';
import { replaceAnswer, writeAnswer } from './answers.ts';
import { isShownInPublic } from './citations.ts';
import { answerWithModel, MODEL_PASSAGES } from './model-answer.ts';
import { limitNote } from './model-usage.ts';
import type { PassageSearch } from './passage-worker.ts';
import { readableSpaces, type Sources } from './store.ts';

/** Seconds after which a question that met a busy server is retried. */
export const BUSY_SECONDS = 5;
const PASSAGES = new URL('./passage-worker.ts', import.meta.url);

/** One message to answer, and the sources that its author selected; all that they can read when that is empty. */
export type AnswerRequest = JobPayload<'message.answer'>;

export function enqueueAnswer(
  jobs: Pick<JobQueue, 'enqueue'>,
  tx: ServerTx,
  request: AnswerRequest,
): Promise<void> {
  return jobs.enqueue(tx.trx, 'message.answer', request);
}

/** Computes an answer and stores it; does nothing for a message that has one, or that can no longer be answered. */
export async function answerMessage(context: Context, request: AnswerRequest): Promise<void> {
  const question = await readQuestion(context.db, request);
  if (question === undefined) return;
  const reach = reachOf(question.visibility);
  const found = await findSources(context, question, reach, { ...question.named, ...namedIn(request) });
  const answer = await compose(context, question, reach, found);
  if (answer !== undefined) await storeAnswer(context, question, reach, answer);
}

/** By the language model, if it responds; undefined when another server writes the answer, or it stays unchanged. */
async function compose(
  context: Context,
  question: Question,
  reach: AnswerReach,
  { sources, period }: FoundSources,
): Promise<Answer | undefined> {
  if (period !== undefined) return inWords(titlesOf(period, sources), reach);
  const model = await answeringModel(context, question.workspaceId);
  let before = '';
  if (model !== undefined) {
    const { quotations } = await extractFrom(question.text, sources, MODEL_PASSAGES);
    if (quotations.length > 0) {
      const made = await answerWithModel(context, model, { question, reach, sources, passages: quotations });
      if (made === undefined) return undefined;
      const given = quotations.map(({ memoryId }) => memoryId);
      if (!(made instanceof AnswerModelError)) return { ...made, restsOn: given };
      // The answer that is there is better than passages.
      if (question.replaces !== undefined) return void (await takeDraft(context.db, question));
      before =
        made.fault === 'limit'
          ? limitNote(context)
          : 'The language model did not answer, so this answer is made of passages.\n\n';
    }
  }
  return inWords(await extractFrom(question.text, sources), reach, before);
}

function inWords(found: ExtractiveAnswer, reach: AnswerReach, before = ''): Answer {
  return { content: before + writeExtractiveAnswer(found, reach), citations: citationsIn(found) };
}

/** After the last attempt: the person sees that there will be no answer, and can ask again. */
export async function giveUpAnswer(context: Context, request: AnswerRequest): Promise<void> {
  const question = await readQuestion(context.db, request);
  if (question === undefined) return;
  // The answer that is there is better than none.
  if (question.replaces !== undefined) return void (await takeDraft(context.db, question));
  await storeAnswer(context, question, reachOf(question.visibility), {
    content:
      'This message could not be answered because something failed on the server. Send it again to retry.',
    citations: [],
  });
}

interface Answer {
  content: string;
  citations: Citation[];
  /** The memories in the prompt of the model, cited or not. */
  restsOn?: readonly Id<'memory'>[];
}

interface Question extends WorkspaceReader, AskedQuestion {
  messageId: Id<'message'>;
  threadId: Id<'thread'>;
  visibility: Visibility;
  /** The answer to replace; undefined for a first answer. */
  replaces: Id<'message'> | undefined;
}

/** The message with its context; undefined when it has another answer, or was not written by a person. */
async function readQuestion(
  db: Database,
  { messageId, replaces }: AnswerRequest,
): Promise<Question | undefined> {
  const { rows } = await sql<
    Omit<Question, keyof AskedQuestion | 'replaces'> &
      Pick<Message, 'content' | 'createdAt'> & { earlier: string[] }
  >`
    select m."id" as "messageId", m."threadId", m."workspaceId", m."createdBy" as "userId", m."content", m."createdAt",
      t."visibility",
      array(select before."content" from "message" before
        where before."workspaceId" = m."workspaceId" and before."threadId" = m."threadId" and before."createdBy" = m."createdBy"
          and before."role" = 'user' and (before."createdAt", before."id") < (m."createdAt", m."id")
        order by before."createdAt" desc, before."id" desc limit ${ANSWERS.earlierMax}) as "earlier"
    from "message" m join "thread" t on t."workspaceId" = m."workspaceId" and t."id" = m."threadId" and t."deletedAt" is null
    where m."id" = ${messageId} and m."role" = 'user' and m."createdBy" is not null
      and (select reply."id" from "message" reply
        where reply."workspaceId" = m."workspaceId" and reply."replyTo" = m."id")
        is not distinct from ${replaces ?? null}::text ${across('job')}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { content, createdAt, earlier, ...question } = row;
  return { ...question, spaceIds: null, replaces, ...questionOf({ content, createdAt }, earlier) };
}

/** Without undefined keys, so that they override no value. */
function namedIn({ memoryIds, spaceIds }: Sources): Sources {
  return { ...(memoryIds && { memoryIds }), ...(spaceIds && { spaceIds }) };
}

/** Whose access limits what an answer may quote: its text is visible to every reader of the thread. */
function reachOf(visibility: Visibility): AnswerReach {
  if (anonymousReads(visibility)) return 'public';
  return visibility === 'private' ? 'person' : 'workspace';
}

interface FoundSources {
  /** With texts that every reader of the thread can read. */
  sources: AnswerSource[];
  /** Where the question asks for nothing but a time. */
  period?: Period | undefined;
}

/** The memories to answer from, best first. */
async function findSources(
  context: Context,
  question: Question,
  reach: AnswerReach,
  { memoryIds, spaceIds }: Sources,
): Promise<FoundSources> {
  const named = memoryIds ?? [];
  const isLimited = spaceIds !== undefined && spaceIds.length > 0;
  // A space that the person cannot read must reveal nothing, not even which of the person's own memories are in it.
  const spaces = isLimited ? await readableSpaces(context.db, question, spaceIds) : [];
  const isSearched = isLimited ? spaces.length > 0 : named.length === 0;
  const search = async (query: string) => {
    const body = memoryEndpoints['memory.search'].body.parse({
      workspaceId: question.workspaceId,
      query,
      perPage: reach === 'person' ? ANSWERS.memories : ANSWERS.foundMax,
      ...(isLimited && { spaceIds: spaces }),
    });
    return (await findMemories(context, question, body, TIMEOUTS.answerIndex)).hits;
  };
  const namesOf = (found: readonly { id: string }[]) => readNames(context.db, question, reach, found);
  const { hits, period } = isSearched
    ? await findForQuestion(question, { find: search, namesOf })
    : { hits: [] };
  const near = new Map<string, string[] | undefined>(
    hits.map(({ id, passages }) => [id, passages?.map(({ text }) => text)]),
  );
  const scores = scoresOf(hits, named);
  const texts = await readTexts(context.db, question, reach, [...scores.keys()]);
  const read = texts.map((own) => ({ ...own, near: near.get(own.id) }));
  // What is named beside the spaces may be of another time.
  return {
    sources: bestSources(scores, read, ANSWERS.memories),
    period: named.length > 0 ? undefined : period,
  };
}

/** Memories that an answer may quote, in addition to the check that its author can read them. */
const MAY_QUOTE: Readonly<Record<AnswerReach, (question: Question) => RawBuilder<boolean>>> = {
  person: () => sql<boolean>`true`,
  workspace: (question) => {
    const named = readableByReadersOf('m', question);
    if (!workspaceReads(question.visibility)) return named;
    return sql<boolean>`(${readableByAll('m', question.workspaceId)} and ${named})`;
  },
  public: ({ workspaceId }) => isShownInPublic('m', workspaceId),
};

/** Titles and times of memories that every reader of the thread can read, in the order given: an answer may tell the time. */
async function readNames(
  db: Database,
  question: Question,
  reach: AnswerReach,
  found: readonly { id: string }[],
) {
  const { workspaceId } = question;
  const { rows } = await sql<Pick<Memory, 'title' | 'created'>>`
    select m."title", m."created" from unnest(${found.map(({ id }) => id)}::text[]) with ordinality as hit("id", "place")
    join "memory" m on m."workspaceId" = ${workspaceId} and m."id" = hit."id"
    where m."deletedAt" is null and ${MAY_QUOTE[reach](question)} order by hit."place"`.execute(db);
  return rows;
}

/** Pages and most notes are quoted for members only; visitors can read what a public space publishes. */
const QUOTED_TEXTS = {
  public: (workspaceId: string) => sql<string[]>`array[m."description", m."summary",
    case when m."type" = 'note' and ${isTextPublished(workspaceId, sql.ref('m.id'))} then left(m."notes", ${ANSWERS.textMax}) end]`,
  workspace: () => sql<string[]>`array[left(m."notes", ${ANSWERS.textMax}), m."description", m."summary",
    left(p."text", ${ANSWERS.textMax})]`,
} as const;

async function readTexts(
  db: Database,
  question: Question,
  reach: AnswerReach,
  ids: readonly string[],
): Promise<Omit<AnswerSource, 'score'>[]> {
  if (ids.length === 0) return [];
  const { workspaceId } = question;
  const { rows } = await sql<Omit<AnswerSource, 'score'>>`
    select m."id", coalesce(nullif(m."title", ''), nullif(m."filename", ''), nullif(m."url", ''), 'Untitled') as "title",
      array_remove(${QUOTED_TEXTS[reach === 'public' ? 'public' : 'workspace'](workspaceId)}, null) as "texts"
    from "memory" m
    left join "memory_page" p on p."workspaceId" = m."workspaceId" and p."memoryId" = m."id"
    where m."workspaceId" = ${workspaceId} and m."id" = any(${ids}::text[]) and m."deletedAt" is null
      and ${readableBy('memory', 'm', readerIn(question))}
      and ${MAY_QUOTE[reach](question)}`.execute(db);
  return rows;
}

/** @throws unavailable when the texts could not be read in time */
export async function extractFrom(
  question: string,
  sources: AnswerSource[],
  choice?: PassageChoice,
): Promise<ExtractiveAnswer> {
  if (sources.length === 0) return { quotations: [], also: [], coverage: 0 };
  const search: PassageSearch = { question, sources, choice };
  const limits = { memoryMb: ANSWERS.readerMemoryMb, limitMs: TIMEOUTS.passages };
  const found = await runInThread<ExtractiveAnswer>(PASSAGES, search, limits);
  if (found !== undefined) return found;
  throw new AppError('unavailable', 'The server is too busy to answer. Ask again in a moment.', {
    retryAfter: BUSY_SECONDS,
  });
}

async function storeAnswer(
  context: Context,
  question: Question,
  reach: AnswerReach,
  { restsOn = [], ...answer }: Answer,
): Promise<void> {
  const { workspaceId, threadId, messageId, replaces } = question;
  try {
    await writeInRealm(context, workspaceId, question, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select "id" from "message" where "workspaceId" = ${workspaceId} and "replyTo" = ${messageId}`.execute(
        tx.trx,
      );
      if (rows[0]?.id !== replaces) return;
      const thread = await tx.get('thread', threadId);
      if (thread !== undefined && reachOf(thread.visibility) !== reach)
        throw new Error('The thread has other readers than when its answer was looked for');
      // The thread may have been shared with another person since then.
      const cited = new Set([...restsOn, ...answer.citations.map(({ memoryId }) => memoryId)]);
      const quotable = await readTexts(tx.trx, question, reach, [...cited]);
      if (quotable.length < cited.size) throw new AppError('not_found', 'Memory not found');
      const id = await takeDraft(tx.trx, question);
      if (replaces !== undefined) await replaceAnswer(tx, { id: replaces, threadId, ...answer });
      else {
        await writeAnswer(tx, { id, threadId, replyTo: messageId, ...answer });
        const settings = await findAnswering({ db: tx.trx }, workspaceId);
        if (settings?.describes) await tx.enqueue('thread.name', { workspaceId, threadId });
      }
    });
  } catch (error) {
    // The person, the thread or a source was deleted: the answer must not be stored.
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    await settleWithout(context, question);
  }
}

/** Stores an answer without sources when one of them was deleted meanwhile; does nothing when the thread was deleted. */
async function settleWithout(context: Context, question: Question): Promise<void> {
  const { workspaceId, threadId, messageId, replaces } = question;
  if (replaces !== undefined) return void (await takeDraft(context.db, question));
  await writeInRealm(context, workspaceId, question, async (tx) => {
    if ((await tx.get('thread', threadId)) === undefined) return;
    const content =
      'A memory that this answer rests on was changed or removed meanwhile. Send the message again.';
    const id = await takeDraft(tx.trx, question);
    await writeAnswer(tx, { id, threadId, replyTo: messageId, content, citations: [] });
  });
}

/**
 * Questions of visitors about one public space, answered while they wait. Only the content that this space publishes is
 * searched, ranked and quoted, even if the same memory shows more in another one, so no answer reveals private notes.
 * Publication is checked again in the transaction that stores the answer.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { PUBLIC } from '#shared/spaces/limits.ts';
import { ANSWERS } from '#shared/threads/limits.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { isFunctionWord } from '#shared/search/question.ts';
import { citationsIn, titlesOf } from '#shared/threads/answer-sources.ts';
import {
  writeExtractiveAnswer,
  type AnswerSource,
  type ExtractiveAnswer,
} from '#shared/threads/extractive-answer.ts';
import type { Memory } from '#shared/memories/memory.ts';
import { message, type Message } from '#shared/threads/message.ts';
import { findForQuestion } from '#shared/threads/question-search.ts';
import { nameOfThread } from '#shared/threads/thread-name.ts';
import { thread } from '#shared/threads/thread.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { systemActor, type ServerTx } from '../db/server-tx.ts';
import { textQueryOf } from '../db/text-query.ts';
import { writeInRealm } from '../db/transaction.ts';
import { createFairQueue } from '../fair-queue.ts';
import { hashToken } from '../http/credentials.ts';
import { publiclyReadable } from '../sync/public.ts';
import { BUSY_SECONDS, extractFrom } from './answer-message.ts';
import { writeAnswer } from './answers.ts';

export interface VisitorQuestion {
  workspaceId: Id<'workspace'>;
  spaceId: Id<'space'>;
  content: string;
}

interface AskedSpace {
  ownerId: Id<'user'>;
  publishText: boolean;
}

/** Attempts to write an answer while its quoted memories are being changed. */
const TRIES = 3;

/** Of each server, of which tests run several in one process. */
const takeTurn = createFairQueue({
  lineAtOnce: ANSWERS.visitorsAtOnce,
  lineWaitingMax: 0,
  refusal: () =>
    new AppError('rate_limited', 'Too many questions are being answered. Try again in a moment.', {
      retryAfter: BUSY_SECONDS,
    }),
});

const newVisitorKey = () => randomBytes(32).toString('base64url');

/**
 * Stores the question and its answer as an unlisted thread of the workspace's owner, which the returned key opens for
 * further questions.
 * @throws not_found, forbidden where visitors may not ask, rate_limited, unavailable
 */
export async function askSpace(
  context: Context,
  question: VisitorQuestion,
): Promise<{ threadId: Id<'thread'>; visitorKey: string }> {
  const visitorKey = newVisitorKey();
  const threadId = await answerVisitor(context, question, async (tx, { space, answer }) => {
    const id = await beginThread(tx, question, space, visitorKey);
    const at = tx.now.getTime();
    await storeTurn(tx, { ...question, threadId: id }, { answer, at });
    return id;
  });
  return { threadId, visitorKey };
}

export interface VisitorAnswer {
  space: AskedSpace;
  answer: Pick<Message, 'content' | 'citations'>;
}

/**
 * Looks for the answer, within the limits of visitors, and stores it in a transaction that has checked that all quoted texts
 * are still published.
 * @throws not_found, forbidden where visitors may not ask, rate_limited, unavailable
 */
export async function answerVisitor<T>(
  context: Context,
  question: VisitorQuestion,
  store: (tx: ServerTx, answered: VisitorAnswer) => Promise<T>,
): Promise<T> {
  await askedSpace(context.db, question);
  return takeTurn(context.db, async () => {
    await countQuestion(context, question.workspaceId);
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const space = await askedSpace(context.db, question);
      const { found, sources } = await answerFrom(context, question, space);
      const answer = { content: writeExtractiveAnswer(found, 'visitor'), citations: citationsIn(found) };
      const { value } = await writeInRealm(context, question.workspaceId, systemActor, async (tx) => {
        const present = await askedSpace(tx.trx, question);
        const isSame =
          present.publishText === space.publishText && (await isUnchanged(tx, question, { space, sources }));
        return isSame ? { stored: await store(tx, { space: present, answer }) } : undefined;
      });
      if (value !== undefined) return value.stored;
    }
    throw new AppError('unavailable', 'This space is changing right now. Ask again in a moment.');
  });
}

/** @throws not_found for a space that is not public there, forbidden where visitors may not ask */
async function askedSpace(db: Database, { workspaceId, spaceId }: VisitorQuestion): Promise<AskedSpace> {
  const row = await db
    .selectFrom('space')
    .innerJoin('workspace', 'workspace.id', 'space.workspaceId')
    .select(['workspace.ownerId', 'workspace.publicChat', 'space.publishText'])
    .where('space.id', '=', spaceId)
    .where('space.workspaceId', '=', workspaceId)
    .where(publiclyReadable('space', 'address'))
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'Space not found'));
  if (!row.publicChat) throw new AppError('forbidden', 'This space does not take questions from visitors.');
  return row;
}

/** In one statement, so that questions at the same time cannot pass the limit together. @throws rate_limited */
async function countQuestion({ db, clock }: Context, workspaceId: string): Promise<void> {
  const now = clock.now();
  const day = now.toISOString().slice(0, 10);
  const { rows } = await sql`
    insert into "visitor_question_day" as counted ("workspaceId", "day", "questions")
    values (${workspaceId}, ${day}::date, 1)
    on conflict ("workspaceId", "day") do update set "questions" = counted."questions" + 1
      where counted."questions" < ${PUBLIC.questionsPerDay}
    returning 1`.execute(db);
  if (rows.length > 0) return;
  const tomorrow = Date.parse(`${day}T00:00:00Z`) + 86_400_000;
  throw new AppError(
    'rate_limited',
    'This workspace has answered all questions for today. Try again tomorrow.',
    {
      retryAfter: Math.ceil((tomorrow - now.getTime()) / 1_000),
    },
  );
}

interface Answered {
  found: ExtractiveAnswer;
  /** Memories that the answer cites. */
  sources: AnswerSource[];
}

async function answerFrom(
  { db, clock }: Context,
  question: VisitorQuestion,
  space: AskedSpace,
): Promise<Answered> {
  const asked = { text: question.content, day: clock.now().toISOString().slice(0, 10) };
  const { hits: sources, period } = await findForQuestion(asked, {
    find: (query) => findSources(db, { question, query }, space),
    namesOf: async (found) => found,
  });
  const found =
    period === undefined ? await extractFrom(question.content, sources) : titlesOf(period, sources);
  const cited = new Set<string>(citationsIn(found).map(({ memoryId }) => memoryId));
  return { found, sources: sources.filter(({ id }) => cited.has(id)) };
}

/** Published texts of memory `m` in the space. */
const publishedTexts = ({ publishText }: AskedSpace) => sql<
  string[]
>`array_remove(array[m."description", m."summary",
  case when ${publishText} and m."type" = 'note' then left(m."notes", ${ANSWERS.textMax}) end], null)`;

const publishedTitle = sql<string>`coalesce(nullif(m."title", ''), nullif(m."filename", ''), nullif(m."url", ''), 'Untitled')`;

const standsIn = ({ spaceId, workspaceId }: VisitorQuestion) => sql<boolean>`m."workspaceId" = ${workspaceId}
  and m."deletedAt" is null and not m."archived" and exists (
    select 1 from "space_memory" link where link."workspaceId" = ${workspaceId}
      and link."memoryId" = m."id" and link."spaceId" = ${spaceId})`;

type FoundSource = AnswerSource & Pick<Memory, 'created'>;

/** The memories of the space that match the words and dates of the query, best first; the newest where it has only dates. */
async function findSources(
  db: Database,
  { question, query }: { question: VisitorQuestion; query: string },
  space: AskedSpace,
): Promise<FoundSource[]> {
  const { required, ...planned } = planSearch(parseSearchQuery(query));
  const subjects = required.filter(({ terms }) => !terms.every(isFunctionWord));
  const plan = { ...planned, required: subjects.length > 0 ? subjects : required, excluded: [] };
  const [shown, all] = [textQueryOf(plan, 'any', 'shown'), textQueryOf(plan, 'any', 'all')];
  const { from, until } = plan;
  const isTimed = Number.isFinite(from) || Number.isFinite(until);
  if (shown === '' && !isTimed) return [];
  const at = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString() : null);
  // Notes count only where they are published.
  const asked = sql`(case when ${space.publishText} and m."type" = 'note' then ${all} else ${shown} end)::tsquery`;
  const { rows } = await sql<FoundSource>`
    select m."id", ${publishedTitle} as "title", ${publishedTexts(space)} as "texts", m."created",
      ${shown === '' ? sql`0` : sql`ts_rank(found."document", ${asked})`}::float8 as "score"
    from "memory" m join "memory_search" found on found."workspaceId" = m."workspaceId" and found."memoryId" = m."id"
    where ${standsIn(question)} and ${shown === '' ? sql`true` : sql`found."document" @@ ${asked}`}
      and m."created" >= coalesce(${at(from)}::timestamptz, '-infinity')
      and m."created" < coalesce(${at(until)}::timestamptz, 'infinity')
    order by "score" desc, m."created" desc, m."id" limit ${ANSWERS.memories}`.execute(db);
  return rows;
}

async function beginThread(
  tx: ServerTx,
  { workspaceId, spaceId, content }: VisitorQuestion,
  { ownerId, publishText }: AskedSpace,
  visitorKey: string,
): Promise<Id<'thread'>> {
  const now = tx.now.toISOString();
  const threadId = newId('thread');
  await tx.insert('thread', {
    ...thread.defaults,
    id: threadId,
    workspaceId,
    ownerId,
    createdBy: null,
    lastEditedBy: null,
    name: nameOfThread(content),
    summary: null,
    visibility: 'unlisted',
    created: now,
    updated: now,
    deletedAt: null,
  });
  await tx.trx
    .insertInto('visitor_thread')
    .values({
      threadId,
      workspaceId,
      spaceId,
      withText: publishText,
      created: now,
      keyHash: hashToken(visitorKey),
    })
    .execute();
  return threadId;
}

/** The question and its answer, one behind the other at a time. */
export async function storeTurn(
  tx: ServerTx,
  {
    workspaceId,
    threadId,
    content,
  }: { workspaceId: Id<'workspace'>; threadId: Id<'thread'>; content: string },
  { answer, at }: Pick<VisitorAnswer, 'answer'> & { at: number },
): Promise<void> {
  await tx.insert('message', {
    ...message.defaults,
    id: newId('message'),
    workspaceId,
    threadId,
    role: 'user',
    content,
    createdBy: null,
    createdAt: new Date(at - 1).toISOString(),
  });
  await writeAnswer(tx, { threadId, ...answer, at: new Date(at).toISOString() });
}

async function isUnchanged(
  tx: ServerTx,
  question: VisitorQuestion,
  { space, sources }: { space: AskedSpace; sources: AnswerSource[] },
): Promise<boolean> {
  if (sources.length === 0) return true;
  const { rows } = await sql<Pick<AnswerSource, 'id' | 'title' | 'texts'>>`
    select m."id", ${publishedTitle} as "title", ${publishedTexts(space)} as "texts" from "memory" m
    where m."id" = any(${sources.map(({ id }) => id)}::text[]) and ${standsIn(question)}`.execute(tx.trx);
  const present = new Map<string, string>(
    rows.map(({ id, title, texts }) => [id, JSON.stringify([title, texts])]),
  );
  return sources.every(({ id, title, texts }) => present.get(id) === JSON.stringify([title, texts]));
}

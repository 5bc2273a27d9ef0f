/** Commands that read: search, list, get and ask. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LociError } from '#shared/api-client.ts';
import { PER_PAGE, POLL_MS, spaceOf, type Call, type Given, type Row, type Session } from './session.ts';

/** Of memories. */
const TYPES = ['note', 'link', 'file'];
const ANSWER_MS = 5 * 60_000;

const printJson = (value: unknown): boolean => process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

function printRows(rows: readonly Row[]): void {
  for (const row of rows) process.stdout.write(`${String(row['id'])}  ${titleOf(row)}\n`);
}

export async function search(given: Given): Promise<void> {
  const session = await given.open();
  const rows = await searchPage(session, {
    query: given.words.join(' '),
    ...(await filtersOf(session, given)),
  });
  if (given.values['json'] === true) printJson(rows);
  else printRows(rows);
}

async function searchPage({ call, workspaceId }: Session, body: Row): Promise<Row[]> {
  return Object((await call('memory.search', { body: { workspaceId, ...body } })).result);
}

async function filtersOf(session: Session, given: Given): Promise<Row> {
  const { tag, type } = given.values;
  const spaceId = await spaceOf(session, given);
  return {
    ...(spaceId !== undefined && { spaceIds: [spaceId] }),
    ...(tag !== undefined && { tags: tag }),
    ...(type !== undefined && { types: [type] }),
  };
}

export async function list(given: Given): Promise<void> {
  const session = await given.open();
  // A search without words lists by the filters alone, and needs one.
  const filters = { types: TYPES, ...(await filtersOf(session, given)) };
  const all: Row[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await searchPage(session, { ...filters, page, perPage: PER_PAGE });
    if (given.values['json'] === true) all.push(...rows);
    else printRows(rows);
    if (rows.length < PER_PAGE) break;
  }
  if (given.values['json'] === true) printJson(all);
}

export async function get({ words: [id = ''], values, open }: Given): Promise<void> {
  const { call, workspaceId } = await open();
  const params = { workspaceId, id };
  const row: Row = Object((await call('memory.get', { params })).result);
  if (values['json'] === true) {
    printJson(row);
    return;
  }
  const page = row['type'] === 'note' ? undefined : await pageOf(call, params);
  const texts = [row['notes'], page].filter((text) => typeof text === 'string');
  process.stdout.write(`${texts.join('\n\n') || titleOf(row)}\n`);
}

/** The text of the page or file behind a memory; undefined while there is none. */
async function pageOf(call: Call, params: Row): Promise<unknown> {
  try {
    return (await call('memory.page', { params })).result;
  } catch (error) {
    if (error instanceof LociError && error.status === 404) return undefined;
    throw error;
  }
}

export async function ask(given: Given): Promise<void> {
  const session = await given.open();
  const { call, workspaceId } = session;
  const content = given.words.join(' ');
  const spaceId = await spaceOf(session, given);
  const begun = await call('thread.create', { body: { workspaceId, name: content.slice(0, NAME_LENGTH) } });
  const threadId = String(Object(begun.result).id);
  const asked = await call('message.create', {
    params: { workspaceId, threadId },
    body: { content, ...(spaceId !== undefined && { spaceIds: [spaceId] }) },
  });
  const answer = await answerTo(session, threadId, Object(Object(asked.result).message).id);
  const sources = await sourcesOf(session, answer);
  if (given.values['json'] === true) {
    printJson({ ...answer, sources });
    return;
  }
  const lines = sources.map((row, index) => `[${index + 1}] ${titleOf(row)}  ${String(row['id'])}\n`);
  process.stdout.write(`${String(answer['content'])}\n${lines.length > 0 ? `\n${lines.join('')}` : ''}`);
}

/** Characters that the name of a thread may have. */
const NAME_LENGTH = 120;

async function answerTo({ call, workspaceId }: Session, threadId: string, questionId: unknown): Promise<Row> {
  for (const end = Date.now() + ANSWER_MS; Date.now() < end; await sleep(POLL_MS)) {
    const { result } = await call('message.list', { params: { workspaceId, threadId } });
    const messages: Row[] = Object(result);
    const answer = messages.find(({ replyTo }) => replyTo === questionId);
    if (answer) return answer;
  }
  throw new Error(`There is no answer yet. It will stand in the thread ${threadId}`);
}

/** The cited memories in the order of their numbers; a deleted one has only its id. */
async function sourcesOf({ call, workspaceId }: Session, { citations }: Row): Promise<Row[]> {
  const cited: Row[] = Object(citations);
  if (cited.length === 0) return [];
  const ids = cited.map(({ memoryId }) => String(memoryId));
  const query = { id: [...new Set(ids)].join(','), perPage: PER_PAGE };
  const rows: Row[] = Object((await call('memory.list', { params: { workspaceId }, query })).result);
  return ids.map((id) => rows.find((row) => row['id'] === id) ?? { id });
}

export function titleOf({ title, url }: Row): string {
  if (typeof title === 'string') return title;
  return typeof url === 'string' ? url : 'Untitled';
}

/**
 * The private passages of a thread: quotes in its answers from memories that other people cannot read. A change that adds
 * readers must choose what happens to them; without a choice it is refused.
 */
import { sql, type RawBuilder } from 'kysely';
import { AppError, type QuotedMemory } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { POSITIONS } from '#shared/permissions.ts';
import { READ_BY } from '#shared/spaces/visibility.ts';
import type { Citation } from '#shared/threads/citation.ts';
import { withoutPassages } from '#shared/threads/left-out.ts';
import { newcomersOf, type Newcomers, type Opening } from '#shared/threads/newcomers.ts';
import type { QuotesChoice } from '#shared/threads/quotes-choice.ts';
import { GONE_SOURCE } from '#shared/threads/source-words.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { findAccountOf } from '../accounts/service.ts';
import { isTextPublished } from '../db/memory-followers.ts';
import type { Database } from '../db/database.ts';
import type { ServerTx, TxActor } from '../db/server-tx.ts';
import { readableBy, readableByAll } from '../sync/readable.ts';
import { isCited, isShownInPublic, numbered, title } from './citations.ts';
import { isUpTo } from './public-store.ts';

/** Titles in the message of a refusal; its data has all of them. */
const TITLES_MAX = 10;

interface PrivateQuote extends QuotedMemory {
  messageId: Id<'message'>;
  content: string;
  citations: Citation[];
  number: number;
}

/** The memories whose passages a change would show to people who cannot read them. */
export async function privatelyQuoted(
  db: Database,
  thread: Thread,
  change: Opening,
  actor: TxActor,
): Promise<QuotedMemory[]> {
  const found = await findPrivateQuotes(db, thread, change, actor);
  return [...new Map(found.map(({ memoryId, title }) => [memoryId, { memoryId, title }])).values()];
}

/** To be called before the change. @throws quotes_private without a choice */
export async function settleQuotes(
  tx: ServerTx,
  thread: Thread,
  { quotes, ...change }: Opening & { quotes?: QuotesChoice },
): Promise<void> {
  if (quotes === 'keep') return;
  if (quotes === undefined) {
    const memories = await privatelyQuoted(tx.trx, thread, change, tx.actor);
    if (memories.length > 0) throw refusal(memories);
    return;
  }
  const found = await findPrivateQuotes(tx.trx, thread, change, tx.actor);
  for (const [id, cited] of Map.groupBy(found, ({ messageId }) => messageId)) {
    const numbers = new Set(cited.map(({ number }) => number));
    const [answer] = cited;
    if (answer === undefined) continue;
    const { content, citations } = answer;
    await tx.update('message', id, {
      content: withoutPassages(content, numbers),
      citations: citations.map((source, index) =>
        numbers.has(index + 1) ? { ...source, quote: null } : source,
      ),
    });
  }
}

function refusal(memories: readonly QuotedMemory[]): AppError {
  const named = memories.slice(0, TITLES_MAX).map((memory) => `“${memory.title}”`);
  const more = memories.length > TITLES_MAX ? ` and ${memories.length - TITLES_MAX} more` : '';
  return new AppError(
    'quotes_private',
    `quotes: this thread quotes memories that its new readers cannot read: ${named.join(', ')}${more}. Send "keep" to share these passages or "remove" to leave them out.`,
    { memories },
  );
}

async function findPrivateQuotes(
  db: Database,
  thread: Thread,
  change: Opening,
  actor: TxActor,
): Promise<PrivateQuote[]> {
  const newcomers = newcomersOf(thread, change);
  if (newcomers === undefined) return [];
  const { workspaceId, id } = thread;
  const people = await namedPeople(db, thread, newcomers.named);
  const { userId, spaceIds } = actor;
  const isKnown =
    userId === null
      ? sql<boolean>`true`
      : readableBy('memory', 'memory', { realmId: workspaceId, userId, spaceIds });
  const { rows } = await sql<PrivateQuote>`
    select "message"."id" as "messageId", "message"."content", "message"."citations", cited."number",
      cited."citation" ->> 'memoryId' as "memoryId",
      case when "memory"."id" is not null and ${isKnown} then ${title} else ${GONE_SOURCE} end as "title"
    from "message" cross join lateral ${numbered} left join "memory" on ${isCited(workspaceId)}
    where "message"."workspaceId" = ${workspaceId} and "message"."threadId" = ${id}
      and cited."citation" ->> 'quote' is not null
      and ${newcomers.until === null ? sql`true` : isUpTo('message', sql`${newcomers.until}`, sql`${workspaceId}`)}
      and ${newcomers.after === null ? sql`true` : sql`not ${isUpTo('message', sql`${newcomers.after}`, sql`${workspaceId}`)}`}
      and ("memory"."id" is null or ${isClosedTo(workspaceId, newcomers, people)})
    order by "message"."createdAt", "message"."id", cited."number"`.execute(db);
  return rows;
}

const isPosition = (holder: string): boolean => POSITIONS.some((position) => position === holder);

interface NamedPeople {
  userIds: readonly string[];
  /** A grant names an address without a proven account, so its holder's access is unknown. */
  hasStranger: boolean;
}

async function namedPeople(
  db: Database,
  { workspaceId, id, ownerId }: Thread,
  named: Newcomers['named'],
): Promise<NamedPeople> {
  if (named === 'none') return { userIds: [], hasStranger: false };
  const holders =
    typeof named === 'object'
      ? [{ holder: named.holder, userId: await accountOf(db, named.holder) }]
      : (
          await sql<{ holder: string; userId: string | null }>`
            select "holder", "userId" from "grant"
            where "workspaceId" = ${workspaceId} and "resourceId" = ${id}`.execute(db)
        ).rows;
  const positions = holders.map(({ holder }) => holder).filter(isPosition);
  const persons = named === 'positions' ? [] : holders.filter(({ holder }) => !isPosition(holder));
  const { rows } = await sql<{ userId: string }>`
    select "userId" from "workspace_member"
    where "workspaceId" = ${workspaceId} and "position" = any(${positions}::text[])`.execute(db);
  const userIds = [...rows, ...persons].flatMap(({ userId }) => userId ?? []);
  return {
    userIds: [...new Set(userIds)].filter((userId) => userId !== ownerId),
    hasStranger: persons.some(({ userId }) => userId === null),
  };
}

async function accountOf(db: Database, holder: string): Promise<string | null> {
  if (!holder.includes('@')) return holder;
  const account = await findAccountOf(db, holder);
  return account?.emailVerified ? account.id : null;
}

/** Predicate for a row of memory: one of the newcomers cannot read the passage that is cited. */
function isClosedTo(
  workspaceId: string,
  { members, domain, visitors }: Newcomers,
  { userIds, hasStranger }: NamedPeople,
): RawBuilder<boolean> {
  const isPublic = sql`(${isShownInPublic('memory', workspaceId)} and (
    ("memory"."type" = 'note' and ${isTextPublished(workspaceId, sql.ref('memory.id'))})
    or strpos(concat_ws(E'\n', "memory"."title", "memory"."filename", "memory"."url", "memory"."description", "memory"."summary"),
      cited."citation" ->> 'quote') > 0))`;
  const isOfDomain = sql`exists (
    select 1 from "space" where "space"."workspaceId" = ${workspaceId} and "space"."deletedAt" is null
      and "space"."visibility" = any(${READ_BY.domain}::text[])
      and ("space"."id" = "memory"."spaceId" or exists (
        select 1 from "space_memory" link where link."workspaceId" = ${workspaceId}
          and link."spaceId" = "space"."id" and link."memoryId" = "memory"."id")))`;
  const isOfAllNamed = sql`not exists (
    select 1 from unnest(${userIds}::text[]) as person("userId") where not exists (
      select 1 from "sync_entry" entry join "sync_audience_member" reader
        on reader."realmId" = ${workspaceId} and reader."audienceId" = entry."audienceId"
          and reader."userId" = person."userId"
      where entry."entityId" = "memory"."id" and entry."realmId" = ${workspaceId} and entry."live"))`;
  return sql<boolean>`not (${sql.join(
    [
      sql`true`,
      ...(visitors || hasStranger ? [isPublic] : []),
      ...(members ? [readableByAll('memory', workspaceId)] : []),
      ...(domain ? [isOfDomain] : []),
      ...(userIds.length > 0 ? [isOfAllNamed] : []),
    ],
    sql` and `,
  )})`;
}

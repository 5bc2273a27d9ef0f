// Counts calls to language models and enforces the monthly limit of a workspace. A call is counted before it is made, so that
// concurrent answers cannot exceed the limit.
import { sql } from 'kysely';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import { AnswerModelError, type AnswerFault, type AnswerModel } from '../providers/answer-model.ts';

interface TokenCount {
  tokensIn: number;
  tokensOut: number;
}

export interface Meter {
  workspaceId: Id<'workspace'>;
  /** Calls of one calendar month in UTC; undefined = no limit. */
  perMonth: number | undefined;
}

/** Share of a limit at which the owners are notified before it is reached. */
const NEAR = 0.8;

/** Faults before the first word for which a service charges nothing. */
const FREE: ReadonlySet<AnswerFault> = new Set(['refused', 'busy', 'network', 'blocked', 'sealed']);

/** Characters of one token, if the service reports no tokens. */
const TOKEN_CHARACTERS = 4;

/** The same model, whose calls are counted; over the limit it fails as `limit`, without a call. */
export function metered(host: WriteContext, model: AnswerModel, meter: Meter): AnswerModel {
  return {
    ...model,
    async *write(prompt, signal, onUsage) {
      const day = dayOf(host.clock.now());
      if (!(await countCall(host, meter, day))) throw new AnswerModelError('limit');
      let reported: TokenCount | undefined;
      let written = 0;
      let isFree = false;
      try {
        const pieces = model.write(prompt, signal, (usage) => {
          reported = usage;
          onUsage?.(usage);
        });
        for await (const piece of pieces) {
          written += piece.length;
          yield piece;
        }
      } catch (error) {
        isFree = written === 0 && error instanceof AnswerModelError && FREE.has(error.fault);
        throw error;
      } finally {
        const place = { ...meter, day };
        if (isFree) await giveBackCall(host.db, place);
        else {
          const read = prompt.instructions.length + prompt.text.length;
          const estimate = { tokensIn: tokensOf(read), tokensOut: tokensOf(written) };
          await addTokens(host.db, place, { ...(reported ?? estimate), isEstimate: reported === undefined });
        }
      }
    },
  };
}

const tokensOf = (characters: number) => Math.ceil(characters / TOKEN_CHARACTERS);

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

/** Counts one more call, with the notices that it causes; false when the month has no more. */
async function countCall(host: WriteContext, meter: Meter, day: string): Promise<boolean> {
  const { workspaceId, perMonth } = meter;
  if (perMonth === undefined) return (await reserveCall(host.db, meter, day)) !== undefined;
  const { value } = await writeInRealm(host, workspaceId, systemActor, async (tx) => {
    const used = await reserveCall(tx.trx, meter, day);
    // Once each, because a number of calls is reached once.
    if (used === perMonth || used === Math.ceil(perMonth * NEAR))
      await emit(tx, used === perMonth ? 'limit.reached' : 'limit.near', {
        workspaceId,
        used,
        perMonth,
        renewal: nextMonth(tx.now),
      });
    return used !== undefined;
  });
  return value;
}

/**
 * Counts one more call of the day and returns the calls of its month; undefined when the month has no more. Calls of one day
 * wait for the row of that day, and those of earlier days do not change any more.
 */
async function reserveCall(
  db: Database,
  { workspaceId, perMonth }: Meter,
  day: string,
): Promise<number | undefined> {
  const earlier = sql`(select coalesce(sum(before."calls"), 0) from "model_usage" before
    where before."workspaceId" = ${workspaceId} and before."day" >= date_trunc('month', ${day}::date)::date
      and before."day" < ${day}::date)`;
  const most = perMonth ?? null;
  const { rows } = await sql<{ used: number }>`
    insert into "model_usage" as counted ("workspaceId", "day", "calls")
    select "id", ${day}::date, 1 from "workspace"
    where "id" = ${workspaceId} and (${most}::int is null or ${earlier} < ${most}::int)
    on conflict ("workspaceId", "day") do update set "calls" = counted."calls" + 1
      where ${most}::int is null or counted."calls" + ${earlier} < ${most}::int
    returning (counted."calls" + ${earlier})::int as "used"`.execute(db);
  return rows[0]?.used;
}

interface Place {
  workspaceId: string;
  day: string;
}

async function giveBackCall(db: Database, { workspaceId, day }: Place): Promise<void> {
  await sql`update "model_usage" set "calls" = "calls" - 1
    where "workspaceId" = ${workspaceId} and "day" = ${day}::date and "calls" > 0`.execute(db);
}

async function addTokens(
  db: Database,
  { workspaceId, day }: Place,
  { tokensIn, tokensOut, isEstimate }: TokenCount & { isEstimate: boolean },
): Promise<void> {
  await sql`update "model_usage" set "tokensIn" = "tokensIn" + ${tokensIn}::int,
      "tokensOut" = "tokensOut" + ${tokensOut}::int, "estimated" = "estimated" + ${isEstimate ? 1 : 0}::int
    where "workspaceId" = ${workspaceId} and "day" = ${day}::date`.execute(db);
}

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

function nextMonth(now: Date): string {
  return dayAndMonth.format(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)));
}

/** Note above an answer that falls back to passages because the limit is reached. */
export function limitNote({ clock, config }: Pick<Context, 'clock' | 'config'>): string {
  const perMonth = config.answersPerMonth;
  const all = perMonth === 1 ? 'the one answer' : `all ${(perMonth ?? 0).toLocaleString('en')} answers`;
  return `This workspace has used ${all} by a language model of this month; there are new ones from ${nextMonth(clock.now())} (UTC). This answer is made of passages.\n\n`;
}

const KEPT_DAYS = 400;

export async function forgetModelUsage(db: Database, now: Date): Promise<void> {
  const first = dayOf(new Date(now.getTime() - KEPT_DAYS * 86_400_000));
  await sql`delete from "model_usage" where "day" < ${first}::date ${across('purge')}`.execute(db);
}

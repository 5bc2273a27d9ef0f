/** The audit log as owners read it: pages, files, and the removal of events older than a year. */
import { sql } from 'kysely';
import type { AuditEvent } from '#shared/audit/audit-event.ts';
import { DAY_MS } from '#shared/constants.ts';
import { AUDIT } from '#shared/workspaces/limits.ts';
import { filtersOf, type FieldFilter } from '#shared/define/list-query.ts';
import type { Id } from '#shared/ids.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { filterCondition } from '../http/list-page.ts';

/** Events of a file that are in memory at once. */
const AT_ONCE = 500;

const COLUMNS = [
  'created',
  'action',
  'actorId',
  'actorName',
  'impersonated',
  'via',
  'targetKind',
  'targetId',
  'targetName',
  'details',
  'address',
  'userAgent',
  'id',
] as const satisfies readonly (keyof AuditEvent)[];

/** The events of a workspace as owners see them: they show that staff acted, not who. */
export function eventsOf(db: Database, workspaceId: Id<'workspace'>) {
  return db
    .selectFrom(
      db
        .selectFrom('audit_event')
        .selectAll()
        .select(sql<boolean>`"impersonatorId" is not null`.as('impersonated'))
        .where('workspaceId', '=', workspaceId)
        .as('audit_event'),
    )
    .select(COLUMNS);
}

/** Every event that passes the filters, newest first, read in parts. */
async function* allEvents(
  db: Database,
  workspaceId: Id<'workspace'>,
  query: Readonly<Record<string, unknown>>,
): AsyncGenerator<AuditEvent> {
  let last: { created: string; seq: number } | undefined;
  for (;;) {
    let rows = eventsOf(db, workspaceId).select('seq');
    for (const [field, filter] of filtersOf(query))
      rows = rows.where(filterCondition(sql.ref(`audit_event.${field}`), filter satisfies FieldFilter));
    if (last !== undefined)
      rows = rows.where(
        sql<boolean>`("audit_event"."created", "audit_event"."seq") < (${last.created}::timestamptz, ${last.seq})`,
      );
    const page = await rows.orderBy('created', 'desc').orderBy('seq', 'desc').limit(AT_ONCE).execute();
    yield* page.map(({ seq: _seq, ...event }) => event);
    last = page.at(-1);
    if (last === undefined || page.length < AT_ONCE) return;
  }
}

export async function* auditAsJson(...given: Parameters<typeof allEvents>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const event of allEvents(...given)) {
    yield `${before}  ${JSON.stringify(event)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** The log as CSV (RFC 4180), piece by piece. */
export async function* auditAsCsv(...given: Parameters<typeof allEvents>): AsyncGenerator<string> {
  let head = `${COLUMNS.join(',')}\r\n`;
  for await (const event of allEvents(...given)) {
    yield `${head}${COLUMNS.map((column) => csvCell(event[column])).join(',')}\r\n`;
    head = '';
  }
  if (head !== '') yield head;
}

/** Names in the log were chosen by people: a spreadsheet must not interpret one as a formula. */
function csvCell(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Removes events whose time is over. */
export async function forgetAudit(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - AUDIT.keepDays * DAY_MS).toISOString();
  await db.deleteFrom('audit_event').where('created', '<', before).modifyEnd(across('purge')).execute();
}

/**
 * Who sees what, written a second time as plain conditions over the content tables (PRODUCT 5.1, 5.4): it knows
 * nothing of feed, audiences, versions or cookies. What a complete replica holds must equal its answer exactly.
 */
import { Pool, types } from 'pg';

/** Replica key → canonical JSON of the value. */
export type View = ReadonlyMap<string, string>;

interface Found {
  prefix: string;
  /** Milliseconds that order the key, null when time is not part of it. */
  time: string | null;
  newestFirst: boolean;
  id: string;
  value: Record<string, unknown>;
}

/** A space that a member sees: everyone's, or the own. The guest values count as private. */
const sees = (row: string): string =>
  `(${row}."visibility" in ('workspace', 'unlisted', 'public') or ${row}."ownerId" = $1)`;

const MEMORY_SEEN = `(m."ownerId" = $1 or m."spaceId" is null
  or exists (select 1 from "space" home where home."id" = m."spaceId" and ${sees('home')})
  or exists (select 1 from "space_memory" l join "space" s on s."id" = l."spaceId"
             where l."memoryId" = m."id" and s."deletedAt" is null and ${sees('s')}))`;

const found = (prefix: string, time: string | null, newestFirst: boolean, id: string, value: string) =>
  `select '${prefix}' as prefix, ${time ?? 'null::timestamptz'} as time, ${newestFirst} as "newestFirst", ${id} as id, ${value} as value`;

const WORKSPACE_VIEW = [
  `${found('1/ws/', null, false, 'w."id"', 'to_jsonb(w)')} from "workspace" w where w."id" = $2`,
  `${found('1/mb/', null, false, 'm."userId"', `to_jsonb(m) || jsonb_build_object('forename', u."forename", 'surname', u."surname", 'username', u."username")`)}
   from "workspace_member" m join "user" u on u."id" = m."userId" where m."workspaceId" = $2`,
  `${found('2/s/', null, false, 's."id"', 'to_jsonb(s)')} from "space" s where s."workspaceId" = $2 and ${sees('s')}`,
  `${found('3/t/', 't."created"', true, 't."id"', 'to_jsonb(t)')} from "thread" t where t."workspaceId" = $2 and ${sees('t')}`,
  `${found('4/m/', 'm."created"', true, 'm."id"', `(to_jsonb(m) - 'urlKey' - 'integrationId' - 'publicUpdated') || jsonb_build_object('notes', case when m."bodyBytes" > 4096 then null else m."notes" end)`)}
   from "memory" m where m."workspaceId" = $2 and ${MEMORY_SEEN}`,
  `${found('5/sm/', null, false, `l."spaceId" || '/' || l."memoryId"`, 'to_jsonb(l)')}
   from "space_memory" l join "space" s on s."id" = l."spaceId" join "memory" m on m."id" = l."memoryId"
   where l."workspaceId" = $2 and ${sees('s')} and ${MEMORY_SEEN}`,
  `${found('7/g/', 'g."createdAt"', false, 'g."id"', 'to_jsonb(g)')}
   from "thread" t join "sync_window" w on w."threadId" = t."id" and w."userId" = $1
   cross join lateral (select * from "message" x where x."threadId" = t."id" order by x."createdAt" desc, x."id" desc limit 200) g
   where t."workspaceId" = $2 and ${sees('t')}`,
];

const ACCOUNT_VIEW = [
  `${found('1/ws/', null, false, 'w."id"', 'to_jsonb(w)')} from "workspace" w
   join "workspace_member" m on m."workspaceId" = w."id" where m."userId" = $1 and $2 = $1`,
  `${found('6/n/', 'n."created"', true, 'n."id"', 'to_jsonb(n)')} from "notification" n where n."userId" = $1 and $2 = $1`,
];

const RESULTS = `select '0/err/' as prefix, null::timestamptz as time, false as "newestFirst", r."clientId" || '/' || r."mutationId" as id,
  jsonb_build_object('clientID', r."clientId", 'mutationID', r."mutationId", 'name', r."name", 'args', r."args",
    'code', r."code", 'message', r."message", 'created', r."created") as value
  from "sync_mutation_result" r where r."userId" = $1 and r."realmId" = $2`;

const TIMES = new Set(['created', 'updated', 'deletedAt', 'createdAt']);

/** JSON with sorted keys and times as the wire has them. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function withWireTimes(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      TIMES.has(name) && typeof field === 'string' ? new Date(field).toISOString() : field,
    ]),
  );
}

function keyOfFound({ prefix, time, newestFirst, id, value }: Found): string {
  if (time === null) return `${prefix}${id}`;
  const ms = newestFirst ? 9_999_999_999_999 - Date.parse(time) : Date.parse(time);
  const digits = ms.toString(36).padStart(9, '0');
  return prefix === '7/g/'
    ? `${prefix}${String(value['threadId'])}/${digits}/${id}`
    : `${prefix}${digits}/${id}`;
}

/** Reads the truth over its own connections, without the product's database code. */
export class Oracle {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = new Pool({
      connectionString: url,
      max: 2,
      options: '-c timezone=UTC',
      types: {
        getTypeParser: (id, format) =>
          id === types.builtins.TIMESTAMPTZ ? (text: string) => text : types.getTypeParser(id, format),
      },
    });
    this.#pool.on('error', () => undefined);
  }

  /** What the user's replica of the realm must hold; empty for people who are no members. */
  async view(userId: string, realmId: string): Promise<View> {
    const account = userId === realmId;
    const member = await this.#pool.query(
      `select 1 from "workspace_member" where "userId" = $1 and "workspaceId" = $2`,
      [userId, realmId],
    );
    if (!account && member.rowCount === 0) return new Map();
    const parts = [...(account ? ACCOUNT_VIEW : WORKSPACE_VIEW), RESULTS];
    const { rows } = await this.#pool.query<Found>(parts.join(' union all '), [userId, realmId]);
    return new Map(rows.map((row) => [keyOfFound(row), canonical(withWireTimes(row.value))]));
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

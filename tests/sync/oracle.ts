/**
 * Who can see what, implemented a second time as plain conditions over the content tables, independent of feed,
 * audiences, versions and cookies. A complete replica must equal the oracle's result exactly.
 */
import { Pool, types, type QueryResult, type QueryResultRow } from 'pg';
import { inject } from 'vitest';
import { TENANT_COLUMNS } from '#server/db/placement.ts';

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

const isMember = (row: string): string =>
  `exists (select 1 from "workspace_member" me where me."workspaceId" = ${row}."workspaceId" and me."userId" = $1)`;

const isGranted = (row: string, condition: string): string =>
  `exists (select 1 from "grant" given where given."workspaceId" = ${row}."workspaceId"
    and given."resourceId" = ${row}."id" and ${condition})`;

/** A space or thread that a person sees: everyone's, the own, one whose grants name them, or one of their domain. */
const sees = (row: string): string => `(
  (${isMember(row)} and (${row}."ownerId" = $1
    or ${row}."visibility" in ('workspace', 'workspace_and_guests', 'internal', 'unlisted', 'public')
    or (${row}."visibility" = 'custom' and ${isGranted(
      row,
      `given."holder" = (select me."position" from "workspace_member" me
        where me."workspaceId" = ${row}."workspaceId" and me."userId" = $1)`,
    )})))
  or (${row}."visibility" in ('private_and_guests', 'custom', 'workspace_and_guests')
    and (${row}."deletedAt" is null or ${isMember(row)}) and ${isGranted(row, 'given."userId" = $1')})
  or (${row}."visibility" = 'internal' and ${row}."deletedAt" is null and exists (
    select 1 from "workspace" house join "user" person on person."domain" = house."domain"
    where house."id" = ${row}."workspaceId" and person."id" = $1 and person."emailVerified" and not person."personal")))`;

const MEMORY_SEEN = `((${isMember('m')} and (m."ownerId" = $1 or m."spaceId" is null))
  or exists (select 1 from "space" home where home."id" = m."spaceId" and ${sees('home')})
  or exists (select 1 from "space_memory" l join "space" s on s."id" = l."spaceId"
             where l."memoryId" = m."id" and s."deletedAt" is null and ${sees('s')}))`;

const PLACES = `(select "id", "workspaceId", "ownerId", "visibility", "deletedAt" from "space"
  union all select "id", "workspaceId", "ownerId", "visibility", "deletedAt" from "thread")`;

/** Who may change a grant sees it, and so does its holder while it counts. */
const GRANT_SEEN = `(
  (${isMember('p')} and (p."ownerId" = $1 or (${sees('p')} and exists (
    select 1 from "workspace_member" me where me."workspaceId" = p."workspaceId" and me."userId" = $1
      and me."position" in ('owner', 'admin')))))
  or (r."userId" = $1 and p."visibility" in ('private_and_guests', 'custom', 'workspace_and_guests')
    and (p."deletedAt" is null or ${isMember('p')}))
  or (p."visibility" = 'custom' and r."holder" = (select me."position" from "workspace_member" me
    where me."workspaceId" = p."workspaceId" and me."userId" = $1)))`;

const found = (prefix: string, time: string | null, newestFirst: boolean, id: string, value: string) =>
  `select '${prefix}' as prefix, ${time ?? 'null::timestamptz'} as time, ${newestFirst} as "newestFirst", ${id} as id, ${value} as value`;

const WORKSPACE_VIEW = [
  `${found('1/ws/', null, false, 'w."id"', 'to_jsonb(w)')} from "workspace" w join "workspace_member" own on own."workspaceId" = w."id"
   where w."id" = $2 and own."userId" = $1`,
  `${found('1/mb/', null, false, 'm."userId"', `to_jsonb(m) || jsonb_build_object('forename', u."forename", 'surname', u."surname", 'username', u."username")`)}
   from "workspace_member" m join "user" u on u."id" = m."userId"
   where m."workspaceId" = $2 and ${isMember('m')}`,
  `${found('1/gr/', null, false, `r."resourceId" || '/' || r."holder"`, 'to_jsonb(r)')}
   from "grant" r join ${PLACES} p on p."id" = r."resourceId" and p."workspaceId" = r."workspaceId"
   where r."workspaceId" = $2 and ${GRANT_SEEN}`,
  `${found('1/sb/', null, false, 'b."userId"', 'to_jsonb(b)')} from "sidebar" b
   where b."workspaceId" = $2 and b."userId" = $1 and ${isMember('b')}`,
  `${found('2/s/', null, false, 's."id"', 'to_jsonb(s)')} from "space" s where s."workspaceId" = $2 and ${sees('s')}`,
  `${found('3/t/', 't."created"', true, 't."id"', 'to_jsonb(t)')} from "thread" t where t."workspaceId" = $2 and ${sees('t')}`,
  `${found('4/m/', 'm."created"', true, 'm."id"', `(to_jsonb(m) - 'urlKey' - 'integrationId' - 'publicUpdated') || jsonb_build_object('notes', case when m."bodyBytes" > 4096 then null else m."notes" end, 'beginning', case when m."bodyBytes" > 4096 then left(m."notes", 800) end)`)}
   from "memory" m where m."workspaceId" = $2 and ${MEMORY_SEEN}`,
  `${found('5/sm/', null, false, `l."spaceId" || '/' || l."memoryId"`, 'to_jsonb(l)')}
   from "space_memory" l join "space" s on s."id" = l."spaceId" join "memory" m on m."id" = l."memoryId"
   where l."workspaceId" = $2 and ${sees('s')} and ${MEMORY_SEEN}
     and (s."deletedAt" is null or m."spaceId" is null or m."spaceId" = s."id")`,
  `${found('7/g/', 'g."createdAt"', false, 'g."id"', 'to_jsonb(g)')}
   from "thread" t join "sync_window" w on w."threadId" = t."id" and w."userId" = $1
   cross join lateral (select * from "message" x where x."threadId" = t."id" order by x."createdAt" desc, x."id" desc limit 200) g
   where t."workspaceId" = $2 and ${sees('t')}`,
];

const ACCOUNT_VIEW = [
  `${found('1/ws/', null, false, 'w."id"', 'to_jsonb(w)')} from "workspace" w
   join "workspace_member" m on m."workspaceId" = w."id" where m."userId" = $1 and $2 = $1 and w."deletedAt" is null`,
  `${found('6/n/', 'n."created"', true, 'n."id"', 'to_jsonb(n)')} from "notification" n where n."userId" = $1 and $2 = $1`,
];

const RESULTS = `select '0/err/' as prefix, null::timestamptz as time, false as "newestFirst", r."clientId" || '/' || r."mutationId" as id,
  jsonb_build_object('clientID', r."clientId", 'mutationID', r."mutationId", 'workspaceId', r."workspaceId", 'name', r."name", 'args', r."args",
    'code', r."code", 'message', r."message", 'created', r."created") as value
  from "sync_mutation_result" r where r."userId" = $1 and r."realmId" = $2`;

/** Who can read a thing, and what decides whether a member may show it to more people. */
export interface Audience {
  kind: 'memory' | 'space' | 'thread';
  ownerId: string;
  /** The workspace is in the base audience of a memory. */
  open: boolean;
  /** The home space of a memory, when it has one. */
  home: string | null;
  /** Ids of members, and `web` for people without an account. */
  readers: string[];
}

const onTheWeb = (row: string): string =>
  `${row}."visibility" in ('unlisted', 'public') and ${row}."deletedAt" is null`;

const audienceOf = (
  kind: Audience['kind'],
  row: string,
  { open, home, seen, web }: { open: string; home: string; seen: string; web: string },
) => `
  select '${kind}' as kind, ${row}."id", ${row}."ownerId", ${open} as open, ${home} as home,
    array(select p."userId" from (
        select "userId" from "workspace_member" where "workspaceId" = $1
        union select "userId" from "grant" where "workspaceId" = $1 and "userId" is not null
        union select person."id" from "user" person join "workspace" house on house."domain" = person."domain"
        where house."id" = $1) p
      where ${seen.replaceAll('$1', 'p."userId"')}
      union all select 'web' where ${web}) as readers
  from "${kind}" ${row} where ${row}."workspaceId" = $1`;

const AUDIENCES = [
  audienceOf('memory', 'm', {
    open: `(m."spaceId" is null or exists (select 1 from "space" h where h."id" = m."spaceId"
      and h."visibility" in ('workspace', 'workspace_and_guests', 'internal', 'unlisted', 'public')))`,
    home: 'm."spaceId"',
    seen: MEMORY_SEEN,
    web: `exists (select 1 from "space_memory" l join "space" s on s."id" = l."spaceId"
      where l."memoryId" = m."id" and ${onTheWeb('s')})`,
  }),
  ...(['space', 'thread'] as const).map((kind) =>
    audienceOf(kind, 'x', { open: 'false', home: 'null', seen: sees('x'), web: onTheWeb('x') }),
  ),
].join(' union all ');

/**
 * Named, so that a connection keeps what it made of them: they are long, and the fuzz asks them around every step, when
 * PostgreSQL spent more of its time on reading and planning them than on all else.
 */
const STATEMENTS = {
  reader: {
    name: 'reader',
    text: `select 1 from "workspace" w where w."id" = $2 and w."deletedAt" is null
      and (exists (select 1 from "workspace_member" m where m."userId" = $1 and m."workspaceId" = $2)
        or exists (select 1 from ${PLACES} p where p."workspaceId" = $2 and ${sees('p')}))`,
  },
  account: { name: 'account', text: [...ACCOUNT_VIEW, RESULTS].join(' union all ') },
  workspace: { name: 'workspace', text: [...WORKSPACE_VIEW, RESULTS].join(' union all ') },
  audiences: { name: 'audiences', text: AUDIENCES },
};

/** The tables that they read. */
const TABLES = [
  ...'grant memory message notification sidebar space space_memory sync_mutation_result sync_window'.split(
    ' ',
  ),
  ...'thread user workspace workspace_member'.split(' '),
];

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

  /** Its conditions name no workspace for each row, so the rows of a realm that are spread are brought to one place before. */
  async #ask<R extends QueryResultRow>(
    statement: { name: string; text: string },
    realmId: string,
    values: string[],
  ): Promise<QueryResult<R>> {
    if (inject('workerUrls').length === 0) return this.#pool.query<R>({ ...statement, values });
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      for (const table of TABLES) {
        const column = TENANT_COLUMNS[table];
        const own = column === undefined ? '' : `where "${column}" = ${client.escapeLiteral(realmId)}`;
        const rows = table === 'workspace' || table === 'workspace_member' ? '' : own;
        await client.query(
          `create temp table "${table}" on commit drop as select * from public."${table}" ${rows}`,
        );
      }
      return await client.query<R>(statement.text, values);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  /** What the user's replica of the realm must hold; empty for people who see nothing, and while the workspace is deleted. */
  async view(userId: string, realmId: string): Promise<View> {
    const account = userId === realmId;
    const values = [userId, realmId];
    const reader = await this.#ask(STATEMENTS.reader, realmId, values);
    if (!account && reader.rowCount === 0) return new Map();
    const statement = account ? STATEMENTS.account : STATEMENTS.workspace;
    const { rows } = await this.#ask<Found>(statement, realmId, values);
    return new Map(rows.map((row) => [keyOfFound(row), canonical(withWireTimes(row.value))]));
  }

  /** Everything of a workspace by id, with its readers. */
  async audiences(realmId: string): Promise<ReadonlyMap<string, Audience>> {
    const { rows } = await this.#ask<Audience & { id: string }>(STATEMENTS.audiences, realmId, [realmId]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Position of a member, undefined for a stranger. */
  async positionOf(userId: string, realmId: string): Promise<string | undefined> {
    const { rows } = await this.#pool.query<{ position: string }>(
      `select "position" from "workspace_member" where "userId" = $1 and "workspaceId" = $2`,
      [userId, realmId],
    );
    return rows[0]?.position;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

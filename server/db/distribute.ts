/**
 * Spreads the tables of a migrated database over the nodes of a Citus cluster, as placement.ts says. It plans by the
 * catalogue, so it may run again after a migration, and a plan is carried out in one transaction or not at all.
 */
import { Client } from 'pg';
import { TIMEOUTS } from '../limits.ts';
import { placementOf, type Placement } from './placement.ts';

/** What happens to one table, and why, as a line for people; the statements in their order. */
export interface DistributionStep {
  line: string;
  statements: readonly string[];
}

/** The database cannot be distributed as it is; the message says what to do. */
export class DistributionError extends Error {
  override readonly name = 'DistributionError';
}

/** All distributed tables are in the group of places of this one, so that equal workspaces and realms are on one node. */
const GROUP = 'sync_realm';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/** The steps that are missing; none when every table is where it belongs. @throws DistributionError */
export async function planDistribution(url: string): Promise<DistributionStep[]> {
  return withClient(url, plan);
}

/** Carries the missing steps out; returns them. No server may write meanwhile: tables are locked. @throws DistributionError */
export async function distribute(url: string): Promise<DistributionStep[]> {
  return withClient(url, async (client) => {
    const steps = await plan(client);
    if (steps.length === 0) return steps;
    await client.query('begin');
    // References between tables that are being spread allow no second connection to a worker.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
    await client.query(`set local client_min_messages = 'warning'`);
    for (const statement of steps.flatMap(({ statements }) => statements)) await client.query(statement);
    await client.query('commit');
    return steps;
  });
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUTS.startConnection,
    application_name: 'loci distribute',
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function plan(client: Client): Promise<DistributionStep[]> {
  await requireCluster(client);
  const moved = await misplacedTables(client);
  const references = (await foreignKeys(client)).filter(
    ({ table, target }) => moved.has(table) || moved.has(target),
  );
  const steps: DistributionStep[] = [];
  if (references.length > 0)
    steps.push({
      line: `take away ${references.length} foreign keys, until both of their tables are placed`,
      statements: references.map(
        ({ table, name }) => `alter table ${quoted(table)} drop constraint ${quoted(name)}`,
      ),
    });
  for (const [table, placement] of moved) steps.push(...(await placing(client, table, placement)));
  if (references.length > 0)
    steps.push({
      line: `add the ${references.length} foreign keys again`,
      statements: references.map(
        ({ table, name, definition }) =>
          `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`,
      ),
    });
  return steps;
}

/** @throws DistributionError where there is no Citus, no coordinator or no worker */
async function requireCluster(client: Client): Promise<void> {
  const { rows: found } = await client.query(`select 1 from pg_extension where extname = 'citus'`);
  if (found.length === 0)
    throw new DistributionError(
      'This database has no Citus: install it on each node, add it to shared_preload_libraries and run "create extension citus" in the database of each.',
    );
  const { rows } = await client.query<{ coordinator: boolean; workers: boolean }>(
    `select bool_or(groupid = 0) as "coordinator", bool_or(groupid <> 0 and isactive) as "workers" from pg_dist_node`,
  );
  if (rows[0]?.coordinator !== true || !rows[0].workers)
    throw new DistributionError(
      'The cluster is not complete: name this node with citus_set_coordinator_host and each worker with citus_add_node.',
    );
}

/** The tables that are not where they belong, the group's first, and copies before what refers to them. */
async function misplacedTables(client: Client): Promise<Map<string, Placement>> {
  const { rows } = await client.query<{ table: string; type: string | null; column: string | null }>(`
    select class.relname as "table", citus.citus_table_type as "type", citus.distribution_column as "column"
    from pg_class class left join citus_tables citus on citus.table_name = class.oid
    where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p')
      and not exists (select 1 from pg_depend where objid = class.oid and deptype = 'e') order by 1`);
  const unknown = rows.filter(({ table }) => placementOf(table) === undefined).map(({ table }) => table);
  if (unknown.length > 0)
    throw new DistributionError(
      `These tables are not of this Loci, so their place is unknown: ${unknown.join(', ')}`,
    );
  const rank = (table: string, placement: Placement) =>
    placement === 'reference' ? 0 : placement === 'local' ? 3 : table === GROUP ? 1 : 2;
  const moved = rows.flatMap(({ table, type, column }) => {
    const placement = placementOf(table);
    if (placement === undefined) return [];
    const right =
      typeof placement === 'string'
        ? type === placement
        : type === 'distributed' && column?.replaceAll('"', '') === placement.column;
    return right ? [] : [[table, placement] as const];
  });
  return new Map(moved.toSorted(([a, left], [b, right]) => rank(a, left) - rank(b, right)));
}

interface Reference {
  table: string;
  target: string;
  name: string;
  definition: string;
}

async function foreignKeys(client: Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(`
    select source.relname as "table", target.relname as "target", conname as "name", pg_get_constraintdef(c.oid) as "definition"
    from pg_constraint c join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
    where contype = 'f' and source.relnamespace = 'public'::regnamespace order by 1, 3`);
  // Citus refuses "set null" in a key with the workspace. The write path takes memories out of a space before it goes.
  return rows.map((row) => ({
    ...row,
    definition: row.definition.replace(/ ON DELETE SET NULL \("\w+"\)/, ''),
  }));
}

async function placing(client: Client, table: string, placement: Placement): Promise<DistributionStep[]> {
  const name = literal(quoted(table));
  if (placement === 'local')
    return [
      {
        line: `${table}: on the coordinator`,
        statements: [`select citus_add_local_table_to_metadata(${name})`],
      },
    ];
  const triggers = await triggersOf(client, table);
  const steps: DistributionStep[] = triggers.map((trigger) => ({
    line: `${table}: without the trigger ${trigger}, which guards against writes that this code does not make`,
    statements: [`drop trigger ${quoted(trigger)} on ${quoted(table)}`],
  }));
  if (placement === 'reference')
    return [
      ...steps,
      { line: `${table}: a copy on every node`, statements: [`select create_reference_table(${name})`] },
    ];
  const { column } = placement;
  for (const unique of await uniqueWithout(client, table, column))
    steps.push({
      line: `${table}: unique by (${unique.columns.join(', ')}) on each node only`,
      statements: [
        `alter table ${quoted(table)} drop constraint ${quoted(unique.name)}`,
        `create index ${quoted(unique.name)} on ${quoted(table)} (${unique.columns.map(quoted).join(', ')})`,
      ],
    });
  const group = table === GROUP ? 'none' : quoted(GROUP);
  steps.push({
    line: `${table}: by ${column}`,
    statements: [
      `select create_distributed_table(${name}, ${literal(column)}, colocate_with => ${literal(group)})`,
    ],
  });
  return steps;
}

async function triggersOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select tgname as "name" from pg_trigger where tgrelid = $1::regclass and not tgisinternal order by 1`,
    [quoted(table)],
  );
  return rows.map(({ name }) => name);
}

/** Constraints that only one node could check, so that Citus refuses them. */
async function uniqueWithout(
  client: Client,
  table: string,
  column: string,
): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select conname as "name", array(select attname::text from unnest(conkey) part
       join pg_attribute on attrelid = conrelid and attnum = part) as "columns"
     from pg_constraint where conrelid = $1::regclass and contype = 'u' order by 1`,
    [quoted(table)],
  );
  return rows.filter(({ columns }) => !columns.includes(column));
}

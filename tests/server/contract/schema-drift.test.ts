/** The tables of the database beside the entities: every field is a column of a fitting type, and no column is unknown. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { ENTITIES } from '#shared/entities.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Columns that only the server knows. */
const SERVER_ONLY: Record<string, readonly string[]> = {
  session: ['tokenHash', 'endsAt', 'confirmed'],
  memory: ['publicUpdated'],
  api_key: ['tokenHash'],
  invite: ['tokenHash', 'acceptedBy'],
  oauth_client: [
    'identifier',
    'workspaceId',
    'createdBy',
    'metadata',
    'secretHash',
    'lastUsedAt',
    'workspaceVerified',
  ],
};

interface Column {
  name: string;
  type: string;
  nullable: boolean;
}

async function columnsOf(kind: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select column_name as name, data_type as type, is_nullable = 'YES' as nullable
    from information_schema.columns where table_schema = 'public' and table_name = ${kind}`.execute(
    database.db,
  );
  return rows;
}

/** The column type that holds a field. */
function typeOf(schema: unknown): string {
  if (schema instanceof z.ZodNullable) return typeOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return typeOf(schema.in);
  if (schema instanceof z.ZodArray) return schema.element instanceof z.ZodObject ? 'jsonb' : 'ARRAY';
  if (schema instanceof z.ZodRecord) return 'jsonb';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodNumber) return 'integer';
  return schema instanceof z.ZodString && schema.format === 'datetime' ? 'timestamp with time zone' : 'text';
}

it.each(Object.entries(ENTITIES))('table %s has the fields of its entity', async (kind, entity) => {
  const columns = await columnsOf(kind);
  const expected = Object.entries(entity.row.shape).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    nullable: schema instanceof z.ZodNullable,
  }));
  const known = columns.filter(({ name }) => !SERVER_ONLY[kind]?.includes(name));
  const byName = (list: readonly Column[]) => Object.fromEntries(list.map((column) => [column.name, column]));
  expect(byName(known)).toEqual(byName(expected));
});

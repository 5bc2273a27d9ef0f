/**
 * Starts the one PostgreSQL all server tests share, and migrates a template once.
 * Vitest calls the default export before the first test file and the function it returns after the last.
 */
import { Client } from 'pg';
import { migrate } from '#server/db/migrate.ts';
import { createJobQueue } from '#server/jobs/queue.ts';
import type { TestProject } from 'vitest/node';
import { startThrowAwayCluster } from './throw-away-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the shared cluster's maintenance database. */
    postgresUrl: string;
    /** The same of the other servers that a test database is spread over; none on plain PostgreSQL. */
    workerUrls: readonly string[];
  }
}

/** The migrated database every test database is copied from. */
export const TEMPLATE_DATABASE = 'loci_template';

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startThrowAwayCluster({ max_connections: '200', autovacuum: 'off' });
  try {
    await createTemplate(cluster.url, TEMPLATE_DATABASE);
  } catch (error) {
    await cluster.close();
    throw error;
  }
  project.provide('postgresUrl', cluster.url);
  project.provide('workerUrls', []);
  return cluster.close;
}

/** Makes a migrated database without any row in the cluster at `url`; returns its address. */
export async function createTemplate(url: string, name: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const template = new URL(url);
  template.pathname = name;
  await migrateTemplate(template.href);
  return template.href;
}

/** Migrates the database at `url`, with the tables of the queue. */
export async function migrateTemplate(url: string): Promise<void> {
  await migrate({ url });
  await declareJobs(url);
}

/** The tables of the queue, so that no test database has to create them again. */
async function declareJobs(url: string): Promise<void> {
  const queue = createJobQueue(url, { onError: () => undefined, onGivenUp: () => undefined });
  await queue.prepare();
  await queue.stop();
}

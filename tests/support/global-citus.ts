/**
 * Starts a coordinator and two workers in place of the one PostgreSQL of the other tests, with a template that is migrated
 * and distributed. A test database is a copy of it on each node.
 */
import type { TestProject } from 'vitest/node';
import { migrateTemplate, TEMPLATE_DATABASE } from './global-postgres.ts';
import { distribute } from '#server/db/distribute.ts';
import { addressOf, createCitusDatabase, startCitusCluster } from './citus-cluster.ts';

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCitusCluster();
  try {
    const url = await createCitusDatabase(cluster, TEMPLATE_DATABASE);
    await migrateTemplate(url);
    await distribute(url);
    // Citus keeps a connection to each database that it has served since the start, and a template must have none.
    const nodes = [cluster.coordinator, ...cluster.workers];
    await Promise.all(nodes.map((node) => node.kill()));
    await Promise.all(nodes.map((node) => node.start()));
  } catch (error) {
    await cluster.close();
    throw error;
  }
  project.provide('postgresUrl', addressOf(cluster.coordinator, 'postgres'));
  project.provide(
    'workerUrls',
    cluster.workers.map((worker) => addressOf(worker, 'postgres')),
  );
  return cluster.close;
}

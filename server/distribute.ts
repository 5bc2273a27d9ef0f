/**
 * `npm run distribute` prints how the tables of the database would be placed on the nodes of a Citus cluster, and changes
 * nothing; `npm run distribute -- --yes` places them. Servers are stopped meanwhile. Both may run again after a migration.
 */
import { ConfigError, readConfig } from './config.ts';
import { distribute, DistributionError, planDistribution } from './db/distribute.ts';
import { isMigrated } from './db/migrate.ts';
import { Pool } from 'pg';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** @throws DistributionError for a schema of another version, whose tables are unknown */
async function requireMigrated(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  try {
    if (await isMigrated(pool).catch(() => false)) return;
    throw new DistributionError('Start Loci once first, so that the database has its tables.');
  } finally {
    await pool.end();
  }
}

async function main(given: readonly string[]): Promise<void> {
  const isMeant = given.length === 1 && given[0] === '--yes';
  if (given.length > 0 && !isMeant) throw new DistributionError('Usage: npm run distribute [-- --yes]');
  const { databaseUrl } = readConfig();
  if (databaseUrl === undefined)
    throw new DistributionError(
      'Name the coordinator with DATABASE_URL: the embedded database is one server.',
    );
  await requireMigrated(databaseUrl);
  const steps = await (isMeant ? distribute(databaseUrl) : planDistribution(databaseUrl));
  for (const { line } of steps) say(line);
  if (steps.length === 0) say('Every table is where it belongs.');
  else if (isMeant) say('Done.');
  else say('\nNothing was changed. Stop all servers of Loci, then run: npm run distribute -- --yes');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof ConfigError || error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

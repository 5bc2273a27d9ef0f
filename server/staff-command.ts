/** What the commands of the people who run a server share: they work on the database of the running one, which does the rest. */
import { ConfigError, readConfig } from './config.ts';
import { createContext, type Context } from './context.ts';
import { runningEmbeddedPostgres } from './db/embedded-postgres.ts';
import { createEffects } from './effects.ts';

/** Prints a line for the person. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs a command with its arguments; what it throws is printed without a stack, and ends the process with status 1. */
export function runStaffCommand<A>(
  parse: (given: readonly string[]) => A,
  run: (context: Context, parsed: A) => Promise<void>,
): void {
  const main = async () => {
    const config = readConfig();
    const parsed = parse(process.argv.slice(2));
    const databaseUrl = config.databaseUrl ?? runningEmbeddedPostgres(config.dataDir, say)?.url;
    if (databaseUrl === undefined) throw new Error('Start Loci first: the embedded database is not running.');
    const owned = createContext({ config, databaseUrl, effects: createEffects });
    try {
      await run(owned.context, parsed);
    } finally {
      await owned.context.jobs.stop();
      await owned.close();
    }
  };
  main().catch((error: unknown) => {
    const text = error instanceof ConfigError || error instanceof Error ? error.message : String(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  });
}

/**
 * `npm run approve-access -- 20` approves the twenty people who have waited longest; `npm run approve-access -- a@b.example`
 * approves the named ones. The running server sends the mails.
 */
import { normalizeEmail } from '#shared/email-address.ts';
import { EARLY_ACCESS } from '#shared/constants.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { createContext } from './context.ts';
import { runningEmbeddedPostgres } from './db/embedded-postgres.ts';
import { createEffects } from './effects.ts';
import { approveAccess } from './site/service.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Parses the arguments. @throws Error with the usage */
function whichOf(given: readonly string[]): { emails: readonly string[] } | { count: number } {
  const [first] = given;
  if (given.length === 1 && /^\d+$/.test(first ?? '')) {
    const count = Number(first);
    if (count >= 1 && count <= EARLY_ACCESS.batchMax) return { count };
  }
  const emails = given.flatMap((text) => normalizeEmail(text) ?? []);
  if (given.length > 0 && emails.length === given.length) return { emails };
  throw new Error(
    `Name e-mail addresses, or how many people to let in (1 to ${EARLY_ACCESS.batchMax}): npm run approve-access -- 20`,
  );
}

function databaseUrlOf(config: Config): string {
  const url = config.databaseUrl ?? runningEmbeddedPostgres(config.dataDir, say)?.url;
  if (url === undefined) throw new Error('Start Loci first: the embedded database is not running.');
  return url;
}

async function main(): Promise<void> {
  const config = readConfig();
  const which = whichOf(process.argv.slice(2));
  const owned = createContext({ config, databaseUrl: databaseUrlOf(config), effects: createEffects });
  try {
    const approved = await approveAccess(owned.context, which);
    say(approved === 1 ? '1 person was let in.' : `${approved} people were let in.`);
  } finally {
    await owned.context.jobs.stop();
    await owned.close();
  }
}

main().catch((error: unknown) => {
  const text = error instanceof ConfigError || error instanceof Error ? error.message : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});

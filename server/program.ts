/**
 * The program: reads the configuration, starts the server, and stops it on a signal. Nothing else happens here; main.ts
 * loads it.
 */
import { flushCompileCache } from 'node:module';
import { readConfig, type Config } from './config.ts';
import { freePort } from './db/embedded-postgres.ts';
import { TIMEOUTS } from './limits.ts';
import { createLog, type Logger } from './log.ts';
import { DEMO } from './seed.ts';
import { startServer, type RunningServer } from './serve.ts';
import { startFailure } from './start-failure.ts';

/** By then the first visitor has the first page, and a kill afterwards loses no compiled code that the next start needs. */
const KEEP_COMPILED_MS = 3_000;

/** Signals closer together than this count as one. */
const ECHO_MS = 500;

/** Links need the port before the socket has one, so a free port is chosen first. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await freePort();
  return {
    ...config,
    port,
    appOrigin: config.appOriginIsDefault ? `http://localhost:${port}` : config.appOrigin,
  };
}

/** A signal during the start waits for its end: half-started parts could not be closed in order. */
function stopOnSignals(starting: Promise<RunningServer>, log: Logger): void {
  let began: number | undefined;
  const stop = (signal: string) => {
    // Ctrl-C under npm arrives twice at once, from the terminal and from npm; a later one means impatience.
    if (began !== undefined) {
      if (performance.now() - began > ECHO_MS) process.exit(1);
      return;
    }
    began = performance.now();
    log.info(`${signal}: finishing requests, then stopping`);
    setTimeout(() => process.exit(1), TIMEOUTS.stop).unref();
    starting
      .then((server) => server.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ error }, 'the stop failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function main(): Promise<void> {
  const config = await withPort(readConfig());
  // React and Express read this variable; our own code reads the configuration.
  process.env['NODE_ENV'] ??= config.webSource === 'vite' ? 'development' : 'production';
  const log = createLog(config.logLevel);
  process.on('unhandledRejection', (error) =>
    log.error({ error }, 'a promise was rejected without a handler'),
  );
  if (config.env === 'production' && config.smtpUrl === undefined) {
    log.warn(
      'SMTP_URL is not set, so no mail leaves this server: people cannot confirm their addresses, which API keys and publishing need, nor replace a forgotten password',
    );
  }
  const starting = startServer(config, log);
  stopOnSignals(starting, log);
  const server = await starting;
  process.stdout.write(`Loci is ready at ${server.address}\n`);
  setTimeout(flushCompileCache, KEEP_COMPILED_MS).unref();
  if (server.demo) process.stdout.write(`Sign in as ${DEMO.email} with the password ${DEMO.password}\n`);
}

try {
  await main();
} catch (error) {
  const reason = startFailure(error);
  process.stderr.write(`${reason ?? String(error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}

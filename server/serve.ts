/**
 * Starts and stops a whole server in the right order: database, schema, first data, app, socket; and back. Environment and
 * signals are handled by its caller.
 */
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from './app.ts';
import { startMailServer } from './capture/mail/mail-server.ts';
import type { Config } from './config.ts';
import { createContext, type Context } from './context.ts';
import { backUpBeforeMigration } from './db/backups.ts';
import { startPatiently } from './db/patient-start.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { createEffects } from './effects.ts';
import { limitConnections, sharedAddresses } from './http/connection-limit.ts';
import { createJobHandlers } from './job-handlers.ts';
import { TIMEOUTS } from './limits.ts';
import { createLog, type Logger } from './log.ts';
import { maySeedDemo, seedDemo } from './seed.ts';
import { asDatabaseFailure, asListenFailure, withDataFolder } from './start-failure.ts';

const IDLE_CHECK_MS = 50;

export interface RunningServer {
  context: Context;
  /** Where it listens, for people. */
  address: string;
  /** Address for received mail; undefined where mail is not received. */
  mailPort: number | undefined;
  /** True when this start made the demo account. */
  demo: boolean;
  close(): Promise<void>;
}

/** Starts everything; when a step fails, the steps before it are undone. */
export async function startServer(
  config: Config,
  log: Logger = createLog(config.logLevel),
): Promise<RunningServer> {
  const warn = (line: string) => log.warn(line);
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const database = await openStorage(config, log);
    undo.push(database.close);
    const {
      context,
      beginStop,
      close: closeContext,
    } = createContext({ config, databaseUrl: database.url, log, effects: createEffects });
    undo.push(closeContext);
    const server = createServer();
    limitTimes(server);
    const unasked = socketsWithoutRequest(server);
    limitConnections(server, {
      total: config.maxSockets,
      perAddress: config.maxSocketsPerAddress,
      isShared: sharedAddresses(config.trustProxy),
    });
    const making = createApp(context, { server }).then((made) => {
      undo.push(made.close);
      return made;
    });
    // Vite holds the processor for seconds, in which connections to the database would time out.
    if (config.webSource === 'vite') await making;
    const queue = startPatiently(() => context.jobs.start(createJobHandlers(context)), warn).then(() =>
      undo.push(() => context.jobs.stop()),
    );
    // The queue waits for the database and the pages for the processor, so neither waits for the other.
    const [, app, demo] = await together(
      queue,
      making,
      maySeedDemo(context)
        ? queue.then(() => startPatiently(() => seedDemo(context), warn))
        : Promise.resolve(false),
    );
    server.on('request', app.express);
    await listen(server, config);
    undo.push(async () => {
      beginStop();
      await drain(server, unasked, config.drainSeconds);
    });
    const mailServer = await listenForMails(context);
    if (mailServer !== undefined) undo.push(mailServer.close);
    return { context, address: addressOf(server, config.host), mailPort: mailServer?.port, demo, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The values of all steps; when one fails, only after the others have ended, so that they can be undone. */
async function together<T extends readonly Promise<unknown>[]>(...steps: T) {
  await Promise.allSettled(steps);
  return Promise.all(steps);
}

/** The database of this server, migrated. */
async function openStorage(
  config: Config,
  log: Logger,
): Promise<{ url: string; close: () => Promise<void> }> {
  withDataFolder(config.dataDir, () => {
    makeFolder(config.dataDir);
    accessSync(config.dataDir, constants.W_OK | constants.X_OK);
  });
  const tell = (line: string) => log.info(line);
  const warn = (line: string) => log.warn(line);
  if (config.databaseUrl !== undefined) {
    const url = config.databaseUrl;
    await startPatiently(() => migrate({ url, log: tell }), warn).catch((error: unknown) => {
      throw asDatabaseFailure(url, error);
    });
    return { url, close: async () => undefined };
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log: tell });
  try {
    const step = () =>
      migrate({
        url: embedded.url,
        log: tell,
        beforeChange: async () =>
          tell(`Backed up to ${await backUpBeforeMigration(config.dataDir, embedded)}`),
      });
    await startPatiently(step, warn);
  } catch (error) {
    await embedded.close();
    throw error;
  }
  return embedded;
}

/** Step by step: Node's own recursive mkdir never returns for some folders that cannot be made, as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    readdirSync(folder);
    return;
  }
  makeFolder(path.dirname(folder));
  mkdirSync(folder);
}

async function listen(server: Server, { port, host }: Config): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw asListenFailure({ host, port }, error);
  }
}

/** Receives mails, if configured. */
async function listenForMails(context: Context) {
  const { inboundMail } = context.config;
  if (inboundMail?.port === undefined) return undefined;
  const { domain, host, port } = inboundMail;
  try {
    return await startMailServer(context, { domain, host, port });
  } catch (error) {
    throw asListenFailure({ host, port }, error, { port: 'INBOUND_MAIL_PORT', host: 'INBOUND_MAIL_HOST' });
  }
}

/** Slow or silent clients must not hold sockets for ever; behind a proxy we must outlive its idle connections. */
function limitTimes(server: Server): void {
  server.headersTimeout = TIMEOUTS.requestHeaders;
  server.requestTimeout = TIMEOUTS.requestBody;
  server.keepAliveTimeout = 65_000;
}

/**
 * The open sockets that delay closing the server and that Node has no method for: those without a request yet, as browsers open
 * them ahead, and those upgraded to another protocol, as for Vite's hot updates.
 */
function socketsWithoutRequest(server: Server): ReadonlySet<Duplex> {
  const open = new Set<Duplex>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }) => open.delete(socket));
  server.on('upgrade', (_request, socket) => open.add(socket));
  return open;
}

/** Lets load balancers notice, then stops accepting and waits for running requests. */
async function drain(server: Server, unasked: ReadonlySet<Duplex>, drainSeconds: number): Promise<void> {
  await sleep(drainSeconds * 1_000);
  const closed = once(server, 'close');
  server.close();
  for (const socket of unasked) socket.destroy();
  // A kept-alive connection becomes idle only when its last response was sent, so this is repeated.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const end = setTimeout(() => server.closeAllConnections(), TIMEOUTS.stopRequests);
  await closed;
  clearInterval(idle);
  clearTimeout(end);
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const loopback = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host);
  return `http://${loopback ? 'localhost' : host}:${port}`;
}

/**
 * A program that serves the API alone on an existing database, for tests that need a second process to kill. It takes
 * DATABASE_URL and PORT, and prints a line when it listens.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import { createContext } from '#server/context.ts';
import { createEffects } from '#server/effects.ts';
import { createLog } from '#server/log.ts';

const config = parseConfig({ ...process.env, LOCI_ENV: 'test', APP_ORIGIN: 'http://localhost:4000' });
const { context } = createContext({
  config,
  databaseUrl: config.databaseUrl ?? '',
  log: createLog('error'),
  effects: createEffects,
});
const server = createServer();
const app = await createApp(context, { server, web: false });
server.on('request', app.express);
server.listen(config.port, '127.0.0.1');
await once(server, 'listening');
process.stdout.write('ready\n');

/**
 * The Express application: which middleware runs, and in which order. It knows the parts by their mount functions;
 * what an endpoint or a page does is theirs. Parts are mounted between the marked lines, in this order.
 */
import type { Server } from 'node:http';
import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import { BODY_LIMITS, SYNC } from '#shared/constants.ts';
import { mountApi } from './api.ts';
import { createCleanUpTasks } from './clean-up-tasks.ts';
import type { Context } from './context.ts';
import { authenticate } from './http/actor.ts';
import { allowOrigins } from './http/cors.ts';
import { answerErrors, answerNotFound } from './http/errors.ts';
import { createHealth } from './http/health.ts';
import { jsonBody } from './http/json-body.ts';
import { createMetrics } from './http/metrics.ts';
import { createRateLimits, type RateLimits } from './http/rate-limit.ts';
import { requestLog } from './http/request-log.ts';
import { apiHeaders, securityHeaders } from './http/security-headers.ts';
import { listSharedPages } from './site/shared-pages.ts';
import { mountWeb, type Web } from './ssr/web.ts';
import { mountSync, type SyncDoor } from './sync/routes.ts';

type CallApiFor = ReturnType<typeof mountApi>['callApiFor'];

/** A built application; `close` ends what its parts started. */
export interface App {
  express: Express;
  close(): Promise<void>;
}

/** Choices that only some callers make. */
export interface AppOptions {
  /** The HTTP server the app will run on; development needs it for hot reload. */
  server?: Server;
  /** False leaves out pages and files, for tests of the API alone. */
  web?: boolean;
}

/** Assembles the application for a context. */
export async function createApp(context: Context, options: AppOptions = {}): Promise<App> {
  const { config, log } = context;
  const app = express();
  const closers: (() => Promise<void>)[] = [];
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', 'simple');
  const health = createHealth(context);
  const metrics = createMetrics(context);

  app.use(requestLog(log), metrics.measure);
  app.use(securityHeaders(config.appOrigin));
  app.use(compression({ filter: mayCompress }));
  app.use(health.routes);
  app.get('/metrics', metrics.answer);
  app.use(refuseMalformedPath);

  app.use(['/v1', '/signup'], allowOrigins([config.appOrigin, config.landingOrigin]));
  app.use('/v1', apiHeaders, health.refuseWritesWhenFull);
  app.use('/v1/sync', ...jsonBody(SYNC.bodyLimitBytes));
  // The newsletter form of the landing site posts here; reading the address is a page.
  app.post('/signup', apiHeaders);

  const limits = createRateLimits(context.pool);
  closers.push(mountSync(app, context, syncDoor(context, limits)));
  const { callApiFor } = mountApi(app, context, limits);
  app.use('/v1', ...jsonBody(BODY_LIMITS.json), answerNotFound);

  const web =
    options.web === false
      ? undefined
      : await mountPages(app, context, { callApiFor, server: options.server });
  if (web) closers.push(() => web.close());
  app.use(answerNotFound);
  app.use(answerErrors(log, web?.showFailure));
  return {
    express: app,
    async close() {
      for (const close of closers.toReversed()) await close();
    },
  };
}

/** Who may sync, as often as one session may. */
function syncDoor(context: Context, limits: RateLimits): SyncDoor {
  return {
    async enter(authorization) {
      const person = await authenticate(context, authorization);
      await limits.take('sync', { sessionId: person.sessionId, address: null });
      return person;
    },
    cleanUpTasks: createCleanUpTasks(context),
  };
}

/** Everything that is not the API: files, server-rendered pages, the shell. */
async function mountPages(
  app: Express,
  context: Context,
  { callApiFor, server }: { callApiFor: CallApiFor; server: Server | undefined },
): Promise<Web> {
  const { config } = context;
  return mountWeb(app, {
    mode: config.webSource === 'vite' ? 'development' : 'production',
    publicOrigin: config.appOrigin,
    landingOrigin: config.landingOrigin,
    callApi: callApiFor(),
    callApiFor: (req) => callApiFor({ address: req.ip ?? null, header: (name) => req.get(name) }),
    sharedPages: () => listSharedPages(context),
    ...(server && { server }),
  });
}

/** Routes would meet broken percent-encoding at different moments; here it is refused once, for all of them. */
const refuseMalformedPath: RequestHandler = (req, _res, next) => {
  decodeURIComponent(req.path);
  next();
};

/** Event streams must leave at once; a compressor would hold them back until its buffer is full. */
function mayCompress(req: express.Request, res: express.Response): boolean {
  if (String(res.getHeader('Content-Type') ?? '').startsWith('text/event-stream')) return false;
  return compression.filter(req, res);
}

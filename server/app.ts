/**
 * The Express application: which middleware runs, and in which order. It only calls the mount functions of the parts. Parts are
 * mounted between the marked lines, in this order.
 */
import type { Server } from 'node:http';
import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import { BODY_LIMITS } from '#shared/constants.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { isId } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import { mountApi } from './api.ts';
import { mountProviderSignIn } from './accounts/provider-routes.ts';
import { watchForWebhooks } from './webhooks/collect.ts';
import { recordImpersonatedCall } from './audit/impersonated-calls.ts';
import type { Context } from './context.ts';
import { watchForEmbeddings } from './memories/embedding-queue.ts';
import { refuseWrongMethod } from './http/calls.ts';
import { allowOrigins } from './http/cors.ts';
import { authenticateSession } from './http/credentials.ts';
import { answerErrors, answerNotFound, failureSender } from './http/errors.ts';
import { createHealth } from './http/health.ts';
import { jsonBody } from './http/json-body.ts';
import { createMetrics } from './http/metrics.ts';
import { createRateLimits, type RateLimits } from './http/rate-limit.ts';
import { redirectTo } from './http/redirect.ts';
import { requestLog } from './http/request-log.ts';
import { apiHeaders, securityHeaders } from './http/security-headers.ts';
import { limitWaiting } from './http/time-limit.ts';
import { mountMcp } from './mcp/routes.ts';
import { mountOauth, sendProtocolFailure } from './oauth/routes.ts';
import { outboxRoutes, showsOutbox } from './providers/outbox.ts';
import { publicVersion } from './site/public-version.ts';
import { recordVisit } from './site/service.ts';
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
  let web: Web | undefined;
  const sendFailure = failureSender({
    log,
    showPage: async (req, res, failure) => (await web?.showFailure(req, res, failure)) ?? false,
    sendProtocolFailure,
    appOrigin: config.appOrigin,
  });
  app.use(limitWaiting(async (failure, req, res) => void (await sendFailure(failure, req, res))));
  app.use(health.routes);
  app.get('/metrics', metrics.answer);
  app.use(refuseMalformedPath);

  app.use(['/v1', '/signup'], allowOrigins([config.appOrigin, config.landingOrigin, ...config.corsOrigins]));
  app.use(['/v1', '/mcp'], apiHeaders);
  const limits = createRateLimits(context.pool);
  mountOauth(app, context, limits);
  // The link in a mail, opened in a browser: a page asks for confirmation, because scanners of mail open links too.
  app.get('/v1/public/unsubscribe/:token', (req, res) => {
    redirectTo(res, 303, pathTo('unsubscribe', { token: req.params.token }));
  });
  app.use('/v1', refuseWrongMethod, health.refuseWritesWhenFull);
  app.use('/v1/sync', ...jsonBody(SYNC.bodyLimitBytes));
  // The newsletter form of the landing site posts here; reading the address is a page.
  app.post('/signup', apiHeaders);

  closers.push(watchForWebhooks(context));
  closers.push(watchForEmbeddings(context));
  if (showsOutbox(config)) app.use(outboxRoutes(context.db));
  closers.push(mountSync(app, context, syncDoor(context, limits)));
  mountProviderSignIn(app, context, limits);
  const { api, callApiFor } = mountApi(app, context, limits);
  closers.push(mountMcp(app, api, health.hasRoom));
  app.use('/v1', ...jsonBody(BODY_LIMITS.json), answerNotFound);

  if (options.web !== false) {
    const mounted = await mountPages(app, context, { callApiFor, server: options.server });
    web = mounted;
    closers.push(() => mounted.close());
  }
  app.use(answerNotFound);
  app.use(answerErrors(sendFailure));
  return {
    express: app,
    async close() {
      for (const close of closers.toReversed()) await close();
    },
  };
}

/** Only sessions sync; keys and tokens have REST. */
function syncDoor(context: Context, limits: RateLimits): SyncDoor {
  return {
    async enter(req) {
      const { userId, credential } = await authenticateSession(context, req.get('authorization'));
      await limits.take('sync', { credential, address: null });
      const origin = {
        address: req.ip ?? null,
        userAgent: req.get('user-agent') ?? null,
        via: credential.kind,
        sessionId: credential.id,
        impersonator: credential.impersonator,
      };
      const { realmId } = req.params;
      await recordImpersonatedCall(
        { ...context, origin },
        { userId, ...(isId('workspace', realmId) && { workspaceId: realmId }) },
        `sync.${req.path.split('/').at(-1) ?? ''}`,
      );
      return { userId, sessionId: credential.id, origin };
    },
  };
}

/** Everything that is not the API: files, server-rendered pages, the shell. */
async function mountPages(
  app: Express,
  context: Context,
  { callApiFor, server }: { callApiFor: CallApiFor; server: Server | undefined },
): Promise<Web> {
  const { config } = context;
  const visitor = (req: express.Request) => ({
    address: req.ip ?? null,
    header: (name: string) => req.get(name),
  });
  return mountWeb(app, {
    mode: config.webSource === 'vite' ? 'development' : 'production',
    publicOrigin: config.appOrigin,
    landingOrigin: config.landingOrigin,
    callApi: callApiFor(),
    callApiFor: (req, onVisit) => callApiFor({ ...visitor(req), onVisit }),
    recordVisit: (req, resourceId) => recordVisit(context, resourceId, visitor(req)),
    versionOf: (slug) => publicVersion(context.db, slug),
    markdown: context.markdown,
    sharedPages: () => listSharedPages(context),
    ...(server && { server }),
  });
}

/** Routes would fail on broken percent-encoding at different moments; here it is refused once, for all of them. */
const refuseMalformedPath: RequestHandler = (req, _res, next) => {
  decodeURIComponent(req.path);
  next();
};

/** Event streams must leave at once; a compressor would hold them back until its buffer is full. */
function mayCompress(req: express.Request, res: express.Response): boolean {
  if (String(res.getHeader('Content-Type') ?? '').startsWith('text/event-stream')) return false;
  return compression.filter(req, res);
}

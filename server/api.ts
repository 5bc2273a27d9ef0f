/**
 * The REST API of the product: every row of the table with its handler, mounted on the app. It imports the features, so that
 * the code in server/http need not depend on them.
 */
import type { Express } from 'express';
import { stateCallsOf } from '#shared/define/endpoint.ts';
import { ENDPOINTS, type EndpointName } from '#shared/endpoints.ts';
import type { CallApi } from '#shared/site/render.ts';
import { accountHandlers } from './accounts/handlers.ts';
import { auditHandlers } from './audit/handlers.ts';
import { withImpersonationRecord } from './audit/impersonated-calls.ts';
import { apiKeyHandlers } from './api-keys/handlers.ts';
import { captureHandlers } from './capture/handlers.ts';
import { changeHandlers } from './changes/handlers.ts';
import { uploadHandlers } from './capture/upload-handlers.ts';
import { webhookHandlers } from './webhooks/handlers.ts';
import type { Context } from './context.ts';
import type { RequestFacts } from './http/call.ts';
import type { AnyHandler, Api } from './http/dispatch.ts';
import { callInProcess, mountEndpoints } from './http/mount.ts';
import type { RateLimits } from './http/rate-limit.ts';
import { memoryHandlers } from './memories/handlers.ts';
import { publicMemoryHandlers } from './memories/public-handlers.ts';
import { notificationHandlers } from './notifications/handlers.ts';
import { oauthHandlers } from './oauth/handlers.ts';
import { siteHandlers } from './site/handlers.ts';
import { spaceHandlers } from './spaces/handlers.ts';
import { publicSpaceHandlers } from './spaces/public-handlers.ts';
import { threadHandlers } from './threads/handlers.ts';
import { conversationHandlers } from './threads/conversation-handlers.ts';
import { publicThreadHandlers } from './threads/public-handlers.ts';
import { workspaceHandlers } from './workspaces/handlers.ts';

const HANDLERS = {
  ...accountHandlers,
  ...auditHandlers,
  ...workspaceHandlers,
  ...memoryHandlers,
  ...spaceHandlers,
  ...threadHandlers,
  ...notificationHandlers,
  ...apiKeyHandlers,
  ...captureHandlers,
  ...changeHandlers,
  ...uploadHandlers,
  ...webhookHandlers,
  ...oauthHandlers,
  ...publicMemoryHandlers,
  ...publicSpaceHandlers,
  ...publicThreadHandlers,
  ...conversationHandlers,
  ...siteHandlers,
} satisfies Record<EndpointName, unknown>;

/** Mounts all calls; returns them, and the door for callers inside this process, alone or for a visitor. */
export function mountApi(
  app: Express,
  context: Context,
  limits: RateLimits,
): { api: Api; callApiFor: (visitor?: RequestFacts) => CallApi } {
  const api = {
    context,
    limits,
    endpoints: ENDPOINTS,
    handlers: withImpersonationRecord(HANDLERS as unknown as Readonly<Record<string, AnyHandler>>),
    stateCalls: stateCallsOf(ENDPOINTS),
  };
  mountEndpoints(app, api);
  return { api, callApiFor: callInProcess(api) };
}

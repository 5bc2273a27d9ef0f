/**
 * The REST API of the product: every row of the table with its handler, mounted on the app.
 * It stands above the features, so that the machinery in server/http needs to know none of them.
 */
import type { Express } from 'express';
import { ENDPOINTS, type EndpointName } from '#shared/endpoints.ts';
import type { CallApi } from '#shared/site/render.ts';
import { accountHandlers } from './accounts/handlers.ts';
import { apiKeyHandlers } from './api-keys/handlers.ts';
import { captureHandlers } from './capture/handlers.ts';
import type { Context } from './context.ts';
import type { RequestFacts } from './http/call.ts';
import type { AnyHandler } from './http/dispatch.ts';
import { callInProcess, mountEndpoints } from './http/mount.ts';
import type { RateLimits } from './http/rate-limit.ts';
import { memoryHandlers } from './memories/handlers.ts';
import { publicMemoryHandlers } from './memories/public-handlers.ts';
import { notificationHandlers } from './notifications/handlers.ts';
import { reportHandlers } from './site/report-handlers.ts';
import { siteHandlers } from './site/handlers.ts';
import { spaceHandlers } from './spaces/handlers.ts';
import { publicSpaceHandlers } from './spaces/public-handlers.ts';
import { conversationHandlers } from './threads/conversation-handlers.ts';
import { threadHandlers } from './threads/handlers.ts';
import { publicThreadHandlers } from './threads/public-handlers.ts';
import { workspaceHandlers } from './workspaces/handlers.ts';
import { publicWorkspaceHandlers } from './workspaces/public-handlers.ts';

const HANDLERS = {
  ...accountHandlers,
  ...workspaceHandlers,
  ...memoryHandlers,
  ...spaceHandlers,
  ...threadHandlers,
  ...notificationHandlers,
  ...apiKeyHandlers,
  ...captureHandlers,
  ...publicMemoryHandlers,
  ...publicSpaceHandlers,
  ...publicThreadHandlers,
  ...conversationHandlers,
  ...publicWorkspaceHandlers,
  ...reportHandlers,
  ...siteHandlers,
} satisfies Record<EndpointName, unknown>;

/** Mounts all calls; answers the door for callers inside this process, alone or for a visitor. */
export function mountApi(
  app: Express,
  context: Context,
  limits: RateLimits,
): { callApiFor: (visitor?: RequestFacts) => CallApi } {
  const api = {
    context,
    limits,
    endpoints: ENDPOINTS,
    handlers: HANDLERS as unknown as Readonly<Record<string, AnyHandler>>,
  };
  mountEndpoints(app, api);
  return { callApiFor: callInProcess(api) };
}

// All REST calls collected under their names: with the mutators, the product's table of contents.
import type { AnyEndpoint } from './define/endpoint.ts';
import { accountEndpoints } from './accounts/endpoints.ts';
import { apiKeyEndpoints } from './api-keys/endpoints.ts';
import { captureEndpoints } from './capture/endpoints.ts';
import { memoryEndpoints } from './memories/endpoints.ts';
import { publicMemoryEndpoints } from './memories/public-endpoints.ts';
import { notificationEndpoints } from './notifications/endpoints.ts';
import { reportEndpoints } from './site/report-endpoints.ts';
import { siteEndpoints } from './site/endpoints.ts';
import { spaceEndpoints } from './spaces/endpoints.ts';
import { publicSpaceEndpoints } from './spaces/public-endpoints.ts';
import { conversationEndpoints } from './threads/conversation-endpoints.ts';
import { threadEndpoints } from './threads/endpoints.ts';
import { publicThreadEndpoints } from './threads/public-endpoints.ts';
import { workspaceEndpoints } from './workspaces/endpoints.ts';
import { publicWorkspaceEndpoints } from './workspaces/public-endpoints.ts';

export const ENDPOINTS = {
  ...accountEndpoints,
  ...workspaceEndpoints,
  ...memoryEndpoints,
  ...spaceEndpoints,
  ...threadEndpoints,
  ...notificationEndpoints,
  ...apiKeyEndpoints,
  ...captureEndpoints,
  ...publicMemoryEndpoints,
  ...publicSpaceEndpoints,
  ...publicThreadEndpoints,
  ...conversationEndpoints,
  ...publicWorkspaceEndpoints,
  ...reportEndpoints,
  ...siteEndpoints,
} as const satisfies Record<string, AnyEndpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

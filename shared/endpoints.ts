// All REST calls collected under their names: with the mutators, the product's table of contents.
import type { AnyEndpoint } from './define/endpoint.ts';
import { accountEndpoints } from './accounts/endpoints.ts';
import { secondFactorEndpoints } from './accounts/second-factor-endpoints.ts';
import { signInEndpoints } from './accounts/sign-in-endpoints.ts';
import { impersonationEndpoints } from './accounts/impersonation-endpoints.ts';
import { auditEndpoints } from './audit/endpoints.ts';
import { apiKeyEndpoints } from './api-keys/endpoints.ts';
import { captureEndpoints } from './capture/endpoints.ts';
import { feedEndpoints } from './capture/feed-endpoints.ts';
import { mailAddressEndpoints } from './capture/mail-address-endpoints.ts';
import { uploadEndpoints } from './capture/upload-endpoints.ts';
import { changeEndpoints } from './changes/endpoints.ts';
import { webhookEndpoints } from './webhooks/endpoints.ts';
import { memoryEndpoints } from './memories/endpoints.ts';
import { publicMemoryEndpoints } from './memories/public-endpoints.ts';
import { notificationEndpoints } from './notifications/endpoints.ts';
import { notificationSettingsEndpoints } from './notifications/settings-endpoints.ts';
import { oauthEndpoints } from './oauth/endpoints.ts';
import { earlyAccessEndpoints } from './site/early-access-endpoints.ts';
import { newsEndpoints } from './site/news-endpoints.ts';
import { reportEndpoints } from './site/report-endpoints.ts';
import { siteEndpoints } from './site/endpoints.ts';
import { spaceEndpoints } from './spaces/endpoints.ts';
import { publicSpaceEndpoints } from './spaces/public-endpoints.ts';
import { answeringEndpoints } from './threads/answering-endpoints.ts';
import { conversationEndpoints } from './threads/conversation-endpoints.ts';
import { threadEndpoints } from './threads/endpoints.ts';
import { publicThreadEndpoints } from './threads/public-endpoints.ts';
import { workspaceEndpoints } from './workspaces/endpoints.ts';
import { inviteEndpoints } from './workspaces/invite-endpoints.ts';
import { publicWorkspaceEndpoints } from './workspaces/public-endpoints.ts';

export const ENDPOINTS = {
  ...accountEndpoints,
  ...signInEndpoints,
  ...secondFactorEndpoints,
  ...impersonationEndpoints,
  ...auditEndpoints,
  ...workspaceEndpoints,
  ...inviteEndpoints,
  ...memoryEndpoints,
  ...spaceEndpoints,
  ...threadEndpoints,
  ...notificationEndpoints,
  ...notificationSettingsEndpoints,
  ...apiKeyEndpoints,
  ...captureEndpoints,
  ...uploadEndpoints,
  ...feedEndpoints,
  ...mailAddressEndpoints,
  ...changeEndpoints,
  ...webhookEndpoints,
  ...oauthEndpoints,
  ...publicMemoryEndpoints,
  ...publicSpaceEndpoints,
  ...publicThreadEndpoints,
  ...conversationEndpoints,
  ...answeringEndpoints,
  ...publicWorkspaceEndpoints,
  ...reportEndpoints,
  ...earlyAccessEndpoints,
  ...newsEndpoints,
  ...siteEndpoints,
} as const satisfies Record<string, AnyEndpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

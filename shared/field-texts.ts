/** Field descriptions of the API reference, collected from all features. The application never loads them. */
import { accountFieldTexts } from './accounts/field-texts.ts';
import { apiKeyFieldTexts } from './api-keys/field-texts.ts';
import { auditFieldTexts } from './audit/field-texts.ts';
import { captureFieldTexts } from './capture/field-texts.ts';
import { changeFieldTexts } from './changes/field-texts.ts';
import { ANY_OWNER, COMMON_TEXTS, type FieldTexts } from './define/field-texts.ts';
import { memoryFieldTexts } from './memories/field-texts.ts';
import { notificationFieldTexts } from './notifications/field-texts.ts';
import { oauthFieldTexts } from './oauth/field-texts.ts';
import { siteFieldTexts } from './site/field-texts.ts';
import { spaceFieldTexts } from './spaces/field-texts.ts';
import { threadFieldTexts } from './threads/field-texts.ts';
import { webhookFieldTexts } from './webhooks/field-texts.ts';
import { workspaceFieldTexts } from './workspaces/field-texts.ts';

export const FIELD_TEXTS: FieldTexts = {
  [ANY_OWNER]: COMMON_TEXTS,
  ...accountFieldTexts,
  ...apiKeyFieldTexts,
  ...auditFieldTexts,
  ...captureFieldTexts,
  ...changeFieldTexts,
  ...memoryFieldTexts,
  ...notificationFieldTexts,
  ...oauthFieldTexts,
  ...siteFieldTexts,
  ...spaceFieldTexts,
  ...threadFieldTexts,
  ...webhookFieldTexts,
  ...workspaceFieldTexts,
};

/** Descriptions of fields in the API reference: API keys and scopes. */
import { API_KEY_DAYS } from './limits.ts';
import type { FieldTexts, RowTexts } from '../define/field-texts.ts';
import type { apiKey } from './api-key.ts';

const keyTexts = {
  ownerId: 'Id of the user as whom the key acts; it can never do more than that person.',
  name: 'To tell keys apart in the settings and in the usage.',
  scopes: 'What the key may do; `scope.list` explains each.',
  spaceIds: 'The only spaces whose content the key reaches; null means all that its owner reads.',
  last4: 'Last four characters of the secret, to tell keys apart.',
  expiresAt: 'When the key stops working, in UTC; null means never.',
  lastUsedAt: 'Last call with it, in UTC, exact to five minutes; null before the first.',
} satisfies RowTexts<typeof apiKey>;

export const apiKeyFieldTexts = {
  ApiKey: keyTexts,
  NewApiKey: {
    ...keyTexts,
    secret: 'The key itself, for the header Authorization; shown this once, the server stores its hash.',
  },
  Scope: { id: 'Resource and level, as calls name it.', label: 'What it lets a program do, in plain words.' },
  'api_key.create': {
    expiresAt: `In UTC; null means never. Left out, the key works for ${API_KEY_DAYS} days.`,
  },
} as const satisfies FieldTexts;

/** Descriptions of fields in the API reference: notifications and their settings. */
import { UNSUBSCRIBE_DAYS } from './limits.ts';
import type { FieldTexts, RowTexts } from '../define/field-texts.ts';
import type { notification } from './notification.ts';
import type { notificationSettings } from './settings.ts';

const notificationTexts = {
  userId: 'Id of the person whom it is for; nobody else reads it.',
  workspaceId: 'Id of the workspace that it is about; null for what is about the account.',
  category: 'Decides by which channels it comes, as the settings have it.',
  triggerId: 'Name of the event that caused it, such as `memory.conflict`.',
  title: 'One line in English, for lists.',
  body: 'A sentence or two in English.',
  priority: 'Push messages of `high` ones are sent as urgent.',
  metadata: '`link` is a path inside the app, `count` how often it happened within ten minutes.',
  seen: 'False counts in the number at the bell.',
  status: '`archived` leaves the list of the app.',
} satisfies RowTexts<typeof notification> & { workspaceId: string };

const settingsTexts = {
  categories: 'Channels of each category; `security` always comes in the app and by e-mail.',
  triggers: 'Exceptions for single events by their name; a channel that is not named follows the category.',
  mutedWorkspaces:
    'Ids of workspaces whose notifications come as seen, without e-mail and push; security is never muted.',
  digest: 'Collects e-mails of all categories but security into one.',
  timezone: 'Name of IANA, such as `Europe/Paris`, for the hour at which a digest is sent.',
} satisfies RowTexts<{ row: typeof notificationSettings }>;

export const notificationFieldTexts = {
  Notification: notificationTexts,
  NotificationSettings: {
    ...settingsTexts,
    'categories.security': 'Log-ins and ways to log in; only `push` can be chosen.',
    'categories.billing': 'Plans and payments.',
    'categories.workspace': 'Members, shares, imports and content of workspaces.',
    'categories.internal': 'For the people who run the server.',
    'categories.transactional': 'Mails that the person asked for, such as a link for a new password.',
    inApp: 'In the list of the app.',
    email: 'By e-mail, or in the digest.',
    push: 'To browsers that have subscribed.',
    locked: 'Cannot be changed.',
  },
  PushSubscription: {
    id: 'Id of the session in that browser; the subscription ends with it.',
    current: 'True for the browser that makes the call.',
    userAgent: 'User-Agent header of the browser, which names it and its system.',
  },
  'public_notification.unsubscribe': {
    token: `From the link in the mail; it names the person and the category, and works for ${UNSUBSCRIBE_DAYS} days.`,
    category: 'Category whose e-mails are off now.',
  },
  'push.key': { publicKey: 'In base64url, for `applicationServerKey` of the browser.' },
  'push.subscribe': {
    endpoint: 'Address at the push service of the browser.',
    keys: 'With which messages to this browser are encrypted (RFC 8291).',
    'keys.p256dh': 'Public key of the browser, 65 bytes in base64url.',
    'keys.auth': 'Shared secret, 16 bytes in base64url.',
  },
  'push.unsubscribe': { id: 'Id of the session in that browser.' },
} as const satisfies FieldTexts;

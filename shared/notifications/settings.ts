// Notification settings: channels by category, with exceptions for single events; muted workspaces only appear in the list in
// the app. The rule that turns settings into channels is only here.
import { z } from 'zod';
import { idOf } from '../define/id-schema.ts';
import type { Id } from '../ids.ts';
import type { NotificationCategory } from './notification.ts';
import { TRIGGERS, TRIGGER_IDS } from './triggers.ts';

export const CHANNELS = ['inApp', 'email', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

const DIGESTS = ['off', 'daily', 'weekly'] as const;
export type Digest = (typeof DIGESTS)[number];

/** Categories whose channels a person chooses. */
export const CHOSEN_CATEGORIES = ['billing', 'workspace', 'internal'] as const;

const channels = z.object({ inApp: z.boolean(), email: z.boolean(), push: z.boolean() });
type Channels = z.output<typeof channels>;
const someChannels = channels.partial();

export const notificationSettings = z
  .object({
    categories: z.object({
      /** Always in the app and by e-mail. */
      security: channels.extend({ locked: z.literal(true) }),
      billing: channels,
      workspace: channels,
      internal: channels,
      /** Mails that a person requested, such as a link for a new password. */
      transactional: z.object({ locked: z.literal(true) }),
    }),
    /** Exceptions for single events; a channel that is not named follows the category. */
    triggers: z.record(z.string(), someChannels),
    /** Workspaces whose notifications arrive as seen, without e-mail and push. */
    mutedWorkspaces: z.array(idOf('workspace')),
    /** Collects e-mails of all categories but security into one. */
    digest: z.enum(DIGESTS),
    /** IANA name, for the hour at which a digest is sent. */
    timezone: z.string(),
  })
  .meta({ id: 'NotificationSettings' });
export type NotificationSettings = z.output<typeof notificationSettings>;

const TIMEZONE_MAX = 64;
const TRIGGERS_MAX = 200;
const MUTED_MAX = 1_000;

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // The documented answer to an unknown name is a RangeError.
    return false;
  }
}

/** Replaces the settings: omitted fields get their defaults; unknown names and locked values are ignored. */
export const notificationSettingsBody = z.object({
  categories: z.record(z.string().max(TIMEZONE_MAX), someChannels).default({}),
  triggers: z
    .record(z.string().max(TIMEZONE_MAX), someChannels)
    .refine((given) => Object.keys(given).length <= TRIGGERS_MAX, 'Too many events')
    .default({}),
  mutedWorkspaces: z.array(idOf('workspace')).max(MUTED_MAX).default([]),
  digest: z.enum(DIGESTS).default('off'),
  timezone: z.string().max(TIMEZONE_MAX).refine(isTimezone, 'Not the name of a time zone').default('UTC'),
});

export const DEFAULT_NOTIFICATION_SETTINGS: NotificationSettings = {
  categories: {
    security: { inApp: true, email: true, push: true, locked: true },
    billing: { inApp: true, email: true, push: true },
    workspace: { inApp: true, email: true, push: true },
    internal: { inApp: true, email: false, push: false },
    transactional: { locked: true },
  },
  triggers: {},
  mutedWorkspaces: [],
  digest: 'off',
  timezone: 'UTC',
};

/** Settings from a body, without unknown names and with locked values unchanged. */
export function settingsFrom(given: z.output<typeof notificationSettingsBody>): NotificationSettings {
  const { categories: defaults } = DEFAULT_NOTIFICATION_SETTINGS;
  const chosen = (name: (typeof CHOSEN_CATEGORIES)[number]): Channels => ({
    ...defaults[name],
    ...given.categories[name],
  });
  const triggers = TRIGGER_IDS.flatMap((id) => {
    const wanted = given.triggers[id];
    if (wanted === undefined) return [];
    const { push } = wanted;
    if (TRIGGERS[id].category !== 'security') return [[id, wanted] as const];
    return push === undefined ? [] : [[id, { push }] as const];
  });
  return {
    categories: {
      security: { ...defaults.security, push: given.categories['security']?.push ?? true },
      billing: chosen('billing'),
      workspace: chosen('workspace'),
      internal: chosen('internal'),
      transactional: { locked: true },
    },
    triggers: Object.fromEntries(triggers),
    mutedWorkspaces: [...new Set(given.mutedWorkspaces)],
    digest: given.digest,
    timezone: given.timezone,
  };
}

export interface NotificationSource {
  category: NotificationCategory;
  triggerId: string;
  workspaceId: Id<'workspace'> | null;
}

/** Whether a source belongs to a workspace that the person has muted; security is never muted. */
export function isMuted(
  settings: NotificationSettings,
  { category, workspaceId }: NotificationSource,
): boolean {
  return category !== 'security' && workspaceId !== null && settings.mutedWorkspaces.includes(workspaceId);
}

/** The channels on which a person receives this. */
export function channelsFor(settings: NotificationSettings, source: NotificationSource): Channels {
  if (source.category === 'transactional') return { inApp: false, email: true, push: false };
  const category = settings.categories[source.category];
  const wanted = {
    inApp: category.inApp,
    email: category.email,
    push: category.push,
    ...settings.triggers[source.triggerId],
  };
  if (source.category === 'security') return { ...wanted, inApp: true, email: true };
  return isMuted(settings, source) ? { ...wanted, email: false, push: false } : wanted;
}

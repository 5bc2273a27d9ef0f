// Labels of the webhook events, and which of them can be chosen.
import { WEBHOOK_EVENTS, type WebhookEvent } from '#shared/webhooks/webhook.ts';

export const EVENT_LABELS: Readonly<Record<WebhookEvent, string>> = {
  'memory.created': 'Memory saved',
  'memory.updated': 'Memory changed',
  'memory.deleted': 'Memory deleted',
  'space.created': 'Space created',
  'space.updated': 'Space changed',
  'space.deleted': 'Space deleted',
  'space_memory.created': 'Memory added to a space',
  'space_memory.updated': 'Memory changed in a space',
  'space_memory.deleted': 'Memory removed from a space',
  'thread.created': 'Thread created',
  'thread.updated': 'Thread changed',
  'thread.deleted': 'Thread deleted',
  'message.answered': 'Question answered',
  'workspace_member.created': 'Member joined',
  'workspace_member.updated': 'Member changed',
  'workspace_member.deleted': 'Member left',
  'changes.lost': 'Changes lost',
  'webhook.test': 'Test event',
};

/** Without the test event, which is sent to every webhook when its managers request it. */
export const CHOOSABLE_EVENTS = WEBHOOK_EVENTS.filter((event) => event !== 'webhook.test');

/** The events of a webhook in a few words; none means all. */
export function eventsText(events: readonly WebhookEvent[]): string {
  const [first] = events;
  if (first === undefined) return 'All events';
  return events.length === 1 ? EVENT_LABELS[first] : `${events.length} events`;
}

// What each event is called on the screen, and which of them can be chosen.
import { WEBHOOK_EVENTS, type WebhookEvent } from '#shared/webhooks/webhook.ts';

export const EVENT_LABELS: Readonly<Record<WebhookEvent, string>> = {
  'memory.changed': 'Memory saved or changed',
  'memory.deleted': 'Memory deleted',
  'space.changed': 'Space created or changed',
  'space.deleted': 'Space deleted',
  'space_memory.changed': 'Memory added to a space',
  'space_memory.deleted': 'Memory removed from a space',
  'thread.changed': 'Thread created or changed',
  'thread.deleted': 'Thread deleted',
  'workspace_member.changed': 'Member joined or changed',
  'workspace_member.deleted': 'Member left',
  'changes.lost': 'Changes lost',
  'webhook.test': 'Test event',
};

/** Without the test event, which is sent to every webhook when its managers ask for it. */
export const CHOOSABLE_EVENTS = WEBHOOK_EVENTS.filter((event) => event !== 'webhook.test');

/** The events of a webhook in a few words; none means all. */
export function eventsText(events: readonly WebhookEvent[]): string {
  const [first] = events;
  if (first === undefined) return 'All events';
  return events.length === 1 ? EVENT_LABELS[first] : `${events.length} events`;
}

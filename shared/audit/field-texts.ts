/** Descriptions of fields in the API reference: audit log. */
import type { FieldTexts, RowTexts } from '../define/field-texts.ts';
import type { auditEvent } from './audit-event.ts';

const eventTexts = {
  action: 'What happened, as the thing and the act: `space.removed`.',
  actorId: 'Id of the user who did it; null for what no person did.',
  actorName: 'Name of the actor at that time; null when there was none.',
  impersonated: 'True when the people who run the server acted as the person.',
  via: 'Kind of credential; `system` for what the server did by itself.',
  targetKind: 'Kind of what was acted on, such as `space`; null for the workspace itself.',
  targetId: 'Id of what was acted on, also when it is gone by now.',
  targetName: 'Name of what was acted on at that time.',
  details: 'Further facts of the action, such as the former and the present value under `from` and `to`.',
  address: 'IP address that the request came from; null without a request.',
  userAgent: 'User-Agent header of the request; null without one.',
} satisfies RowTexts<typeof auditEvent>;

export const auditFieldTexts = {
  AuditEvent: eventTexts,
  'audit.export': { format: '`csv` has a header line; `json` is one list.' },
} as const satisfies FieldTexts;

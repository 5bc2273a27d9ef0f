/** Descriptions of fields in the API reference: calls of the site and of operators. */
import type { FieldTexts } from '../define/field-texts.ts';

const decision =
  '`dismiss` shows the thing again, `hide` closes its address, `make_private` narrows it, `suspend_workspace` ends the public life of its workspace.';

export const siteFieldTexts = {
  Report: {
    id: 'Id of the report; decisions are made by the id of the space or thread.',
    kind: 'What was reported.',
    resourceId: 'Id of the space or thread.',
    workspaceId: 'Null when the thing is gone by now.',
    workspaceName: 'Null when the thing is gone by now.',
    ownerName: 'Name of the person who owns the thing; null when it is gone.',
    ownerEmail: 'Address of the person who owns the thing; null when it is gone.',
    link: 'Path of the page that was reported; null when it is not public any more.',
    name: 'As it is now; null when the thing is gone.',
    visibility: 'As it is now; null when the thing is gone.',
    hidden: 'True when it is kept out of lists and search, by reports or by a decision.',
    reason: 'As the reporter chose it.',
    details: 'Words of the reporter; null without any.',
    email: 'Where the reporter can be asked; null when none was given.',
    decidedAt: 'In UTC; null while it is open.',
    decision: `${decision} Null while the report is open.`,
  },
  'report.list': { status: '`open` lists what waits for a decision.' },
  'report.decide': {
    id: 'Id of the space or thread; all its open reports are decided at once.',
    decision,
    note: 'Sent to the owner of the thing.',
    reports: 'How many reports were decided.',
  },
  'newsletter.create': {
    email: 'Waits for early access.',
    news: 'True also wants news, which are sent once the mailed link was used.',
    website: 'Must stay empty: only machines fill it, and what they send is not stored.',
  },
  'newsletter.confirm': { token: 'From the mailed link.' },
  AccessRequest: {
    email: 'Address of the person who waits.',
    news: 'Whether the person confirmed the wish for news.',
    approvedAt: 'In UTC; null when the person was not let in.',
    declinedAt: 'In UTC; null when the request was not declined.',
    joinedAt: 'When the account was made, in UTC; null until then.',
    status: '`waiting` lists what was neither approved nor declined.',
    emails: 'The people by address.',
    approved: 'How many were let in and mailed.',
    declined: 'How many requests were declined.',
  },
  'access_request.approve': {
    emails: 'The people by address; who was declined before is let in, too.',
    count: 'So many of those who have waited longest.',
  },
  'news.create': {
    title: 'Plain words; also the subject of the mail.',
    body: 'Plain words.',
    link: 'Path of this server, where there is more to read.',
    accounts: 'How many accounts are notified.',
    newsletter: 'How many newsletter addresses are mailed; those of accounts are not among them.',
  },
  'avatar.get': { email: 'Any address; the picture says nothing about whether it has an account.' },
  Failure: {
    success: 'Always false.',
    error: 'What went wrong.',
    'error.message': 'Words of the status, the same for each `code`.',
    'error.detail':
      'What was wrong in this call, in English, for people; begins with the name of the field where one is wrong.',
    'error.code': 'For programs; never changes.',
    'error.memories': 'With `quotes_private`: the memories whose passages would be shown.',
    'error.memories.memoryId': 'Id of the memory.',
    'error.memories.title': 'Title of the memory.',
  },
} as const satisfies FieldTexts;

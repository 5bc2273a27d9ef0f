// The calls with which the people who run a server read and decide reports. Staff are named in the
// configuration; for all other people these calls are forbidden.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { text, timestamp } from '../define/fields.ts';
import { pageQuery } from '../define/list-query.ts';
import { idOf } from '../define/id-schema.ts';
import { REPORT_REASONS } from '../spaces/report-reasons.ts';
import { visibilitySchema } from '../spaces/visibility-schema.ts';

const REPORT_DECISIONS = ['dismiss', 'hide', 'make_private', 'suspend_workspace'] as const;
export type ReportDecision = (typeof REPORT_DECISIONS)[number];

const resourceId = z.union([idOf('space'), idOf('thread')]);

/** One report with the present state of its subject. */
const report = z.object({
  id: z.string(),
  kind: z.enum(['space', 'thread']),
  resourceId,
  workspaceId: idOf('workspace').nullable(),
  workspaceName: z.string().nullable(),
  /** The owner of the thing. */
  ownerName: z.string().nullable(),
  ownerEmail: z.string().nullable(),
  /** Path of the public page. */
  link: z.string().nullable(),
  name: z.string().nullable(),
  visibility: visibilitySchema.nullable(),
  /** The resource is hidden from lists and search, by reports or by a decision. */
  hidden: z.boolean(),
  reason: z.enum(REPORT_REASONS),
  details: z.string().nullable(),
  email: z.string().nullable(),
  created: timestamp,
  decidedAt: timestamp.nullable(),
  decision: z.enum(REPORT_DECISIONS).nullable(),
});

export const reportEndpoints = {
  'report.list': defineEndpoint({
    method: 'GET',
    path: '/v1/reports',
    summary: 'Reports of public things, undecided ones unless asked otherwise. For staff.',
    auth: 'session',
    query: pageQuery(['created'])
      .omit({ cursor: true })
      .extend({ status: z.enum(['open', 'decided']).default('open') }),
    result: z.array(report),
    list: true,
  }),
  'report.decide': defineEndpoint({
    method: 'POST',
    path: '/v1/reports/{id}',
    summary:
      'Decides all open reports of a space or thread. dismiss shows it again and lifts a suspension, hide closes its address, make_private narrows it, suspend_workspace ends the public life of its workspace. For staff.',
    auth: 'session',
    params: z.object({ id: resourceId }),
    body: z.object({
      decision: z.enum(REPORT_DECISIONS),
      /** Sent to the owner. */
      note: text(LIMITS.description).trim().optional(),
    }),
    result: z.object({ resourceId, decision: z.enum(REPORT_DECISIONS), reports: z.number().int() }),
  }),
} as const;

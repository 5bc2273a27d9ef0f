// The calls about the audit log of a workspace. Owners alone read it.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { idOf } from '../define/id-schema.ts';
import { listQuery } from '../define/list-query.ts';
import { auditEvent } from './audit-event.ts';

const inWorkspace = z.object({ workspaceId: idOf('workspace') });
const query = listQuery(auditEvent);
const shown = auditEvent.row.meta({ id: 'AuditEvent' });

export const auditEndpoints = {
  'audit.list': defineEndpoint({
    method: 'GET',
    path: '/v1/audit/{workspaceId}',
    summary: 'What happened in the workspace, newest first. For owners.',
    auth: 'session_member',
    params: inWorkspace,
    query,
    result: z.array(shown),
    list: true,
  }),
  'audit.export': defineEndpoint({
    method: 'GET',
    path: '/v1/audit/{workspaceId}/export',
    summary: 'The audit log with the same filters as one file, CSV or JSON. Pages are ignored. For owners.',
    auth: 'session_member',
    rate: 'export',
    params: inWorkspace,
    query: query.omit({ cursor: true }).extend({ format: z.enum(['csv', 'json']).default('csv') }),
    // Written while it is read from the database.
    result: z.unknown(),
    answer: 'file',
    mediaType: 'text/csv; charset=utf-8',
    content: z.array(shown),
  }),
} as const;

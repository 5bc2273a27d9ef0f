/** The calls about the audit log, one small function per row. */
import type { auditEndpoints } from '#shared/audit/endpoints.ts';
import { authorize } from '#shared/define/access.ts';
import { emit } from '../events/emit.ts';
import type { Handlers } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { auditAsCsv, auditAsJson, eventsOf } from './log.ts';

export const auditHandlers = {
  'audit.list': ({ context, actor, query }) => {
    authorize(actor, 'audit.read');
    return listPage(eventsOf(context.db, actor.workspaceId), { table: 'audit_event', tie: 'seq', query });
  },
  'audit.export': async ({ context, actor, query: { format, ...query } }) => {
    authorize(actor, 'audit.read');
    refuseImpersonation(actor);
    const { db, clock, origin } = context;
    await emit({ trx: db, now: clock.now(), origin }, 'audit.exported', { actor, format });
    const parts = format === 'csv' ? auditAsCsv : auditAsJson;
    return {
      result: parts(db, actor.workspaceId, query),
      headers: {
        'Content-Disposition': `attachment; filename="audit-log.${format}"`,
        'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
      },
    };
  },
} satisfies Handlers<typeof auditEndpoints>;

import type { Id } from '#shared/ids.ts';

/** Id of the template with the form. */
export const REPORT_DIALOG = 'report-dialog';

export type ReportSubject = { workspaceId: Id<'workspace'> } & (
  | { kind: 'space'; id: Id<'space'>; memoryId?: Id<'memory'> }
  | { kind: 'thread'; id: Id<'thread'> }
);

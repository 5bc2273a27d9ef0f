/** Descriptions of fields in the API reference: change feed. */
import type { FieldTexts, RowTexts } from '../define/field-texts.ts';
import type { changePage } from './change.ts';

const pageTexts = {
  changes: 'A row may come again; the later one counts.',
  cursor: 'Goes into the next call, also when there is no change; 410 when it has become too old.',
  hasMore: 'True when more is there already: call again at once.',
} satisfies RowTexts<{ row: typeof changePage }>;

export const changeFieldTexts = {
  'change.list': {
    ...pageTexts,
    cursor: `${pageTexts.cursor} Left out, everything is listed from the beginning.`,
    from: '`now` skips everything that exists: no changes, and a cursor for those to come. Ignored with a cursor.',
    limit: 'Changes in one answer.',
    'changes.action': '`put` has the row as it is now; `delete` is gone or out of sight.',
    'changes.kind': 'Kind of the row.',
    'changes.id': 'Id of the row; of a member, the id of the user.',
    'changes.isNew':
      'True when the row was not visible before the cursor; left out for keys and tokens that are limited to spaces.',
    'changes.row': 'The row as other calls show it; long notes are null.',
    spaceId: 'Id of the space that shows the memory.',
    memoryId: 'Id of the memory.',
  },
} as const satisfies FieldTexts;

/**
 * What became of a memory's content, as a small badge: nothing for what is complete.
 * Says of a page or file whose content nothing fetches yet just that, with and without a network.
 */
import { CircleDashed, RotateCw, TriangleAlert } from 'lucide-react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { Badge } from '#client/ui/badge.tsx';

type StatusFields = Pick<MemoryHead, 'contentStatus' | 'metadata'>;

/** Why the content is missing, when the server said so. */
export function statusReason(row: StatusFields): string | undefined {
  const reason = row.metadata['statusReason'];
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
}

/** What waiting means today: nothing on the server takes this work yet, so nobody should wait for it. */
export function waitingNote(row: Pick<MemoryHead, 'contentStatus' | 'type'>): string | undefined {
  if (row.contentStatus !== 'pending') return undefined;
  return row.type === 'file'
    ? 'Reading files comes with a later version. Until then the file is listed by what you write about it.'
    : 'Fetching pages comes with a later version. Until then a link keeps its address and what you write about it.';
}

/** Whether trying again makes sense. */
export function canRetry(row: StatusFields): boolean {
  return row.contentStatus === 'failed' || row.contentStatus === 'unavailable';
}

/** Renders nothing when the content is complete. */
export function MemoryStatus({ row }: { row: StatusFields }) {
  switch (row.contentStatus) {
    case 'completed':
      return null;
    case 'pending':
      return <Badge icon={<CircleDashed />}>Not fetched</Badge>;
    case 'processing':
      return (
        <Badge tone="info" icon={<RotateCw />}>
          Fetching
        </Badge>
      );
    case 'failed':
      return (
        <Badge tone="warning" icon={<TriangleAlert />}>
          Failed
        </Badge>
      );
    default:
      return <Badge icon={<TriangleAlert />}>Unavailable</Badge>;
  }
}

/**
 * Badge for the content status of a memory; none when the content is complete. The page of a link is fetched in the
 * background, after the memory itself was saved.
 */
import { CircleDashed, RotateCw, TriangleAlert } from 'lucide-react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { Badge } from '#client/ui/badge.tsx';

type StatusFields = Pick<MemoryHead, 'contentStatus' | 'metadata'>;

/** The server's reason why the content is missing, if it gave one. */
export function statusReason(row: StatusFields): string | undefined {
  const reason = row.metadata['statusReason'];
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
}

/** Note about missing content while a memory is being processed. */
export function waitingNote(row: Pick<MemoryHead, 'contentStatus' | 'type'>): string | undefined {
  if (row.contentStatus !== 'pending') return undefined;
  return row.type === 'file'
    ? 'The text of this file is extracted soon. Until then you can find it by its title, tags and notes.'
    : 'The page behind this link is fetched soon. Until then you can find it by its address, title, tags and notes.';
}

/** Whether trying again makes sense. */
export function canRetry(row: StatusFields): boolean {
  return row.contentStatus === 'failed' || row.contentStatus === 'unavailable';
}

/** Renders nothing when the content is complete. */
export function MemoryStatus({ row }: { row: StatusFields & Pick<MemoryHead, 'type'> }) {
  switch (row.contentStatus) {
    case 'completed':
      return null;
    case 'pending':
      return <Badge icon={<CircleDashed />}>Waiting</Badge>;
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

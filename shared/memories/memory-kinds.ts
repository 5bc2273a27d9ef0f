// Types, statuses and origins of memories as plain lists; separate from the entity, because lists and filters need them
// without any schema.

export const MEMORY_TYPES = ['note', 'link', 'file'] as const;
export const CONTENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'unavailable'] as const;
export const ORIGINS = [
  'system', 'clone', 'clipboard', 'slack', 'email', 'x', 'discord', 'teams', 'telegram', 'whatsapp', 'text', 'web',
  'browser_extension', 'rss', 'google_drive', 'notion', 's3', 'dropbox', 'onedrive', 'trello', 'asana', 'jira',
  'github', 'gitlab', 'bitbucket', 'upload', 'camera', 'manual_entry', 'api', 'import',
] as const; // prettier-ignore
/** Origins that only the server sets. */
export const SERVER_ORIGINS: ReadonlySet<string> = new Set(['system', 'clone']);

/** Names the stored text of the page behind a link; undefined without one. */
export function pageHashOf({ metadata }: { metadata: Record<string, unknown> }): string | undefined {
  const hash = metadata['pageHash'];
  return typeof hash === 'string' ? hash : undefined;
}

/** The saved page of a link, as its metadata names it. */
export interface SnapshotFacts {
  /** SHA-256 of the file in hexadecimal. */
  hash: string;
  /** ISO 8601. */
  taken: string;
  bytes: number;
}

/** Undefined without a saved page. */
export function snapshotOf({ metadata }: { metadata: Record<string, unknown> }): SnapshotFacts | undefined {
  const facts = metadata['snapshot'];
  if (typeof facts !== 'object' || facts === null) return undefined;
  const { hash, taken, bytes } = facts as Partial<Record<keyof SnapshotFacts, unknown>>;
  const isComplete = typeof hash === 'string' && typeof taken === 'string' && typeof bytes === 'number';
  return isComplete ? { hash, taken, bytes } : undefined;
}

/** The memory's text is longer than replicas store; it is fetched by hash. */
export function hasRemoteBody(head: { notes: string | null; bodyHash: string | null }): boolean {
  return head.notes === null && head.bodyHash !== null;
}

/** Archives of a workspace that no export would write: any rows, any list, any files. */
import { newId } from '#shared/ids.ts';
import { zipOf, type ZipEntry } from './zip.ts';

export const AT = '2026-06-01T10:00:00.000Z';

export type Json = Record<string, unknown>;

/** A whole row, with other values where they are given. */
export const spaceRow = (given: Json = {}): Json => ({
  kind: 'space',
  id: newId('space'),
  name: 'A space',
  description: null,
  color: 'slate',
  slug: 'a-space',
  origin: 'web',
  visibility: 'workspace',
  publishText: true,
  created: AT,
  updated: AT,
  ...given,
});
/** A whole row, with other values where they are given. */
export const memoryRow = (given: Json = {}): Json => ({
  kind: 'memory',
  id: newId('memory'),
  spaceId: null,
  spaceIds: [],
  type: 'note',
  origin: 'web',
  contentStatus: 'completed',
  title: 'A memory',
  description: null,
  summary: null,
  url: null,
  notes: 'Words',
  tags: [],
  filename: null,
  archived: false,
  created: AT,
  updated: AT,
  facts: {},
  file: null,
  page: null,
  ...given,
});
/** A whole row, with other values where they are given. */
export const threadRow = (given: Json = {}): Json => ({
  kind: 'thread',
  id: newId('thread'),
  name: 'A thread',
  summary: null,
  origin: 'web',
  visibility: 'private',
  created: AT,
  updated: AT,
  ...given,
});
/** A whole row, with other values where they are given. */
export const messageRow = (given: Json = {}): Json => ({
  kind: 'message',
  id: newId('message'),
  threadId: newId('thread'),
  role: 'user',
  content: 'A question',
  citations: [],
  replyTo: null,
  versionOf: null,
  rewrittenAt: null,
  createdBy: null,
  createdAt: AT,
  ...given,
});

/** A saved page with everything that must not be kept of one. */
export const EVIL_PAGE =
  '<html><head><meta http-equiv="refresh" content="0;url=//evil.example"><base href="//evil.example"></head>' +
  '<body onload="x()">Words<script>x()</script><img src="https://evil.example/x.png" alt="Pixel" onerror="x()">' +
  '<a href="javascript:x()">a</a><iframe srcdoc="<script>x()</script>"></iframe><style>*{background:url(//evil.example)}</style></body></html>';

interface Archive {
  rows?: readonly unknown[];
  manifest?: Json | string;
  files?: readonly ZipEntry[];
}

/** The zip. */
export function archiveOf({ rows = [], manifest = {}, files = [] }: Archive): Promise<Buffer> {
  const whole = {
    format: 'loci-workspace',
    version: 1,
    exported: AT,
    exportedBy: newId('user'),
    workspace: { name: 'Acme', description: null },
    data: [{ path: 'loci/00001.jsonl', rows: rows.length }],
  };
  const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
  return zipOf([
    {
      path: 'loci.json',
      bytes: typeof manifest === 'string' ? manifest : JSON.stringify({ ...whole, ...manifest }),
    },
    { path: 'loci/00001.jsonl', bytes: `${lines.join('\n')}\n` },
    ...files,
  ]);
}

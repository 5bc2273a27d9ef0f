// State of a workspace export for clients: its progress, and the finished file.
import { z } from 'zod';
import { timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';

/** Numbers of exports. Not in the table of constants, which every public page carries. */
export const WORKSPACE_EXPORT = {
  /** Days after which a finished file is deleted. */
  keepDays: 7,
  /** Finished files of one person in a workspace; a further export deletes the oldest. */
  keptMax: 3,
  /** Days that an export stays in the list, which is longer than its file is stored. */
  listedDays: 90,
  /** Rows that are read at once; each may hold a page of a million characters. */
  batch: 25,
  /** Bytes after which the next file of data begins. An import suspects larger ones that shrink to almost nothing. */
  dataFileBytes: 900_000,
  /** Characters of a file name, without its extension. */
  nameMax: 100,
} as const;

/** Contents of an export, with the scope that a key or token needs for each. */
export const EXPORT_CONTENTS = {
  memories: 'memories:read',
  spaces: 'spaces:read',
  threads: 'threads:read',
} as const;
export type ExportContent = keyof typeof EXPORT_CONTENTS;
export const EXPORT_CONTENT_NAMES = Object.keys(EXPORT_CONTENTS) as ExportContent[];

const EXPORT_STATUSES = ['pending', 'running', 'completed', 'failed', 'expired'] as const;

export const exportJob = z
  .object({
    id: idOf('export'),
    workspaceId: idOf('workspace'),
    createdBy: idOf('user'),
    /** Contents that the credential that began it may read. */
    contents: z.array(z.enum(['memories', 'spaces', 'threads'])),
    /** The only spaces whose content is in it; null means every space that the person reads. */
    spaceIds: z.array(idOf('space')).nullable(),
    includesFiles: z.boolean(),
    status: z.enum(EXPORT_STATUSES),
    /** Memories and threads, 0 until they are counted, and how many are written so far. */
    total: z.number().int(),
    processed: z.number().int(),
    /** Size of the finished file. */
    bytes: z.number().int().nullable(),
    filename: z.string(),
    error: z.string().nullable(),
    created: timestamp,
    updated: timestamp,
    /** When the finished file is deleted. */
    expiresAt: timestamp.nullable(),
  })
  .meta({ id: 'Export' });
export type ExportJob = z.infer<typeof exportJob>;

/** The same with the address of the finished file. */
export const exportShown = exportJob
  .extend({
    /** Returns the file for five minutes, to a person who may still read its content; null while there is none. */
    download: z.object({ url: z.string(), expiresAt: timestamp }).nullable(),
  })
  .meta({ id: 'ExportWithFile' });
export type ExportShown = z.infer<typeof exportShown>;

export const exportRequest = z.object({
  workspaceId: idOf('workspace'),
  /** False leaves uploaded files out, so that a large workspace makes a small archive. */
  includeFiles: z.boolean().default(true),
});

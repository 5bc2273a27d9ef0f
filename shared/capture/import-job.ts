// State of an import for clients: its progress, imported counts, and the problems of each file.
import { z } from 'zod';
import { IMPORT } from './limits.ts';
import { fileName, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';

/** What folders of an archive become. */
export const importFolders = z.enum(['tags', 'spaces', 'none']);
/** Problems listed per import; more are only counted. */
export const IMPORT_PROBLEMS_MAX = 500;

const importProblem = z.object({
  path: z.string(),
  reason: z.string(),
  /** The file was imported all the same; the reason says what was adjusted. */
  imported: z.boolean(),
});
export type ImportProblem = z.infer<typeof importProblem>;

/** Something that an undone import left as it is, by its place in the export. */
const importKept = z.object({ path: z.string(), reason: z.string() });
export type ImportKept = z.infer<typeof importKept>;

export const importJob = z.object({
  id: idOf('upload'),
  workspaceId: idOf('workspace'),
  createdBy: idOf('user'),
  filename: z.string(),
  folders: importFolders,
  /** `asking` until the person has chosen what folders become; nothing is written before. */
  status: z.enum(['pending', 'asking', 'running', 'completed', 'failed']),
  /** New spaces that folders would become, when the import has asked, and the first few of their names. */
  newSpaces: z.number().int(),
  newSpaceNames: z.array(z.string()),
  /** Items in the export, 0 until they are counted, and how many were looked at so far. */
  total: z.number().int(),
  processed: z.number().int(),
  /** Created memories, updated memories, items that already existed. */
  imported: z.number().int(),
  updatedCount: z.number().int(),
  unchanged: z.number().int(),
  problems: z.array(importProblem),
  error: z.string().nullable(),
  /** Whether the whole import can be undone; impossible while it runs and when it changed nothing. */
  undo: z.enum(['impossible', 'possible', 'running', 'done']),
  /** Memories and spaces that undoing moved to the trash, memories that have their earlier text again, and what stayed. */
  removedCount: z.number().int(),
  restoredCount: z.number().int(),
  keptCount: z.number().int(),
  kept: z.array(importKept),
  created: timestamp,
  updated: timestamp,
});
export type ImportJob = z.infer<typeof importJob>;

/** A line in the list of imports: how many files have a remark, and how many of those were left out. */
export const importSummary = importJob
  .omit({ problems: true, kept: true, newSpaceNames: true })
  .extend({ remarks: z.number().int(), leftOut: z.number().int() });
export type ImportSummary = z.infer<typeof importSummary>;

/** The part named `payload` of the upload. */
export const importRequest = z.object({
  workspaceId: idOf('workspace'),
  folders: importFolders.default('tags'),
  spacesMax: z.number().int().min(0).max(IMPORT.maxItems).optional(),
  filename: fileName.optional(),
});

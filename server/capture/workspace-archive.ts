/**
 * The archive of a workspace as an export writes it and an import reads it: `loci.json` says what the archive is and lists
 * files of data with one row a line. The Markdown files beside them are for people and other programs. Rows have the ids of the
 * workspace that they are from; an import assigns new ids.
 */
import { z } from 'zod';
import { LIMITS } from '#shared/constants.ts';
import { fileName, nameText, tags, text, timestamp, webUrl } from '#shared/define/fields.ts';
import { idOf } from '#shared/define/id-schema.ts';
import { CONTENT_STATUSES, MEMORY_TYPES, ORIGINS } from '#shared/memories/memory-kinds.ts';
import { SPACE_COLORS } from '#shared/spaces/space-looks.ts';
import { SPACE_ORIGINS } from '#shared/spaces/space.ts';
import { visibilitySchema } from '#shared/spaces/visibility-schema.ts';
import { citations } from '#shared/threads/citation.ts';
import { THREAD_ORIGINS } from '#shared/threads/thread.ts';

export const MANIFEST_NAME = 'loci.json';
export const ARCHIVE_FORMAT = 'loci-workspace';
/** Raised when an older import could not read the archive any more. */
export const ARCHIVE_VERSION = 1;
export const DATA_FOLDER = 'loci';
/** Text of one page or file. */
const PAGE_TEXT_MAX = 1_000_000;

export const archiveManifest = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.number().int(),
  exported: timestamp,
  exportedBy: idOf('user'),
  workspace: z.object({ name: z.string(), description: z.string().nullable() }),
  /** Files of data in the order in which they are to be read, and how many rows each has. */
  data: z.array(z.object({ path: z.string().max(500), rows: z.number().int().min(0) })).max(100_000),
});
export type ArchiveManifest = z.infer<typeof archiveManifest>;

const spaceRow = z.object({
  kind: z.literal('space'),
  id: idOf('space'),
  name: nameText,
  description: text(LIMITS.description).nullable(),
  color: z.enum(SPACE_COLORS),
  slug: text(LIMITS.slugMax),
  origin: z.enum(SPACE_ORIGINS),
  visibility: visibilitySchema,
  publishText: z.boolean(),
  created: timestamp,
  updated: timestamp,
});

const words = text(2_000).optional();
const wholeNumber = z.number().int().min(0).optional();

/** Facts of the page or file, and the reason it could not be read. */
export const archiveFacts = z.object({
  site: words,
  author: words,
  published: words,
  language: words,
  canonicalUrl: words,
  image: words,
  favicon: words,
  lead: words,
  pages: wholeNumber,
  pagesRead: wholeNumber,
  width: wholeNumber,
  height: wholeNumber,
  seconds: wholeNumber,
  thumbnail: z
    .string()
    .max(10_000)
    .regex(/^data:image\/[a-z]+;base64,[A-Za-z\d+/=]+$/)
    .optional(),
  statusReason: words,
  httpStatus: wholeNumber,
  /** What a language model wrote. */
  automatic: z
    .object({ title: words, summary: words, tags: z.array(text(LIMITS.tag)).max(LIMITS.tagCount).optional() })
    .optional(),
});

const memoryRow = z.object({
  kind: z.literal('memory'),
  id: idOf('memory'),
  /** Home space; null also where the export does not have it. */
  spaceId: idOf('space').nullable(),
  spaceIds: z.array(idOf('space')).max(10_000),
  type: z.enum(MEMORY_TYPES),
  origin: z.enum(ORIGINS),
  contentStatus: z.enum(CONTENT_STATUSES),
  title: text(LIMITS.title).nullable(),
  description: text(LIMITS.description).nullable(),
  summary: text(LIMITS.summary).nullable(),
  url: webUrl.nullable(),
  notes: text(LIMITS.notes).nullable(),
  tags,
  filename: fileName.nullable(),
  archived: z.boolean(),
  created: timestamp,
  updated: timestamp,
  facts: archiveFacts,
  /** The uploaded file in the archive. */
  file: z.string().max(1_000).nullable(),
  page: z.object({ url: webUrl.nullable(), text: text(PAGE_TEXT_MAX), fetched: timestamp }).nullable(),
  /** The saved page of a link in the archive, and the picture of it in lists; older archives have neither. */
  savedPage: z
    .object({
      file: z.string().max(1_000),
      taken: timestamp,
      picture: z.string().max(1_000).nullable().default(null),
    })
    .nullable()
    .default(null),
});

const threadRow = z.object({
  kind: z.literal('thread'),
  id: idOf('thread'),
  name: nameText,
  summary: text(LIMITS.summary).nullable(),
  origin: z.enum(THREAD_ORIGINS),
  visibility: visibilitySchema,
  created: timestamp,
  updated: timestamp,
});

const messageRow = z.object({
  kind: z.literal('message'),
  id: idOf('message'),
  threadId: idOf('thread'),
  role: z.enum(['user', 'assistant']),
  content: text(LIMITS.message),
  citations,
  replyTo: idOf('message').nullable(),
  versionOf: idOf('message').nullable().default(null),
  rewrittenAt: timestamp.nullable().default(null),
  createdBy: idOf('user').nullable(),
  createdAt: timestamp,
});

export const archiveRow = z.discriminatedUnion('kind', [spaceRow, memoryRow, threadRow, messageRow]);
export type ArchiveRow = z.infer<typeof archiveRow>;
export type ArchiveRowOf<K extends ArchiveRow['kind']> = Extract<ArchiveRow, { kind: K }>;

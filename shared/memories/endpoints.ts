// The calls about memories and their tags.
import { z } from 'zod';
import { FILES } from '../capture/limits.ts';
import { LIMITS } from '../constants.ts';
import { RANDOM_LIMIT, RANDOM_LIMIT_MAX } from './limits.ts';
import { SYNC } from '../sync/limits.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { tags, text, timestamp, webUrl } from '../define/fields.ts';
import { listQuery, pageFields, pageQuery, wholeNumber } from '../define/list-query.ts';
import { idOf } from '../define/id-schema.ts';
import { CONTENT_STATUSES, MEMORY_TYPES, ORIGINS, SERVER_ORIGINS } from './memory-kinds.ts';
import { memory } from './memory.ts';
import { searchHit } from './search-hit.ts';

const { shape } = memory.row;
const inWorkspace = z.object({ workspaceId: shape.workspaceId });
const one = inWorkspace.extend({ id: shape.id });
/** Who may read memories, and who may write them: guests and keys for chosen spaces too, each within their reach. */
const readers = { auth: 'member', guests: true, scope: 'memories:read', limitable: true } as const;
const writers = { auth: 'member', guests: true, scope: 'memories:write', limitable: true } as const;
/** A memory in responses; lists leave out notes that are too long for replicas, a single memory includes them. */
const memoryShown = memory.row.omit({ urlKey: true, deletedAt: true }).meta({ id: 'Memory' });

/** One of the texts that are not sent with a memory: its notes, or the page behind its link. */
const textAddress = z.object({ id: shape.id, part: z.enum(['body', 'page']) });
export type TextAddress = z.infer<typeof textAddress>;

/** An empty text means none; the browser extension sends empty notes. */
const orNull = <S extends z.ZodType<string | null>>(schema: S) =>
  schema.transform((value) => (value === '' ? null : value));

const editable = {
  title: orNull(shape.title),
  description: orNull(shape.description),
  url: shape.url,
  notes: orNull(shape.notes),
  tags,
  archived: shape.archived,
};

export const memoryEndpoints = {
  'memory.random': defineEndpoint({
    method: 'GET',
    path: '/v1/memories/random/{workspaceId}',
    summary: 'Memories in an order that the seed decides; the same seed gives the same order.',
    ...readers,
    params: inWorkspace,
    query: listQuery(memory)
      .omit({ page: true, perPage: true, cursor: true, orderBy: true, order: true })
      .extend({
        limit: wholeNumber(1, RANDOM_LIMIT_MAX).default(RANDOM_LIMIT),
        seed: z.string().max(200).optional(),
      }),
    result: z.array(memoryShown),
  }),
  'memory.list': defineEndpoint({
    method: 'GET',
    path: '/v1/memories/{workspaceId}',
    summary:
      'Lists the memories that the person can read. With `address` only those of one page, which saving compares without scheme, fragment and tracking parameters.',
    ...readers,
    params: inWorkspace,
    query: listQuery(memory).extend({ address: webUrl.optional() }),
    result: z.array(memoryShown),
    list: true,
  }),
  'memory.create': defineEndpoint({
    method: 'POST',
    path: '/v1/memories',
    summary:
      'Saves a note or a link; a link that is there already is answered with 200 and meta.duplicate. With the header X-Upload: file the body is multipart/form-data with the parts "payload" (JSON) and "file", a PDF, Office, OpenDocument, EPUB, HTML, CSV, text, image or audio file of at most 25 MB. A text or Markdown file that fits becomes the notes; other files are stored and their text is extracted. With the id of an upload as X-Upload the body is JSON, and the file is the one that was sent in parts. A file that is there already is answered with 200 and meta.duplicate, unless `separate` asks for another memory of it. With `page` the file is the HTML of the page at `url` as the person saw it, at most 10 MB: its text and a saved page without scripts are stored, and the address is not fetched. Send no more of it than is to be read again, since it may come from behind a log-in.',
    ...writers,
    rate: 'write',
    body: z
      .object({
        workspaceId: shape.workspaceId,
        id: shape.id.optional(),
        spaceId: shape.spaceId.optional(),
        origin: z
          .enum(ORIGINS)
          .refine((origin) => !SERVER_ORIGINS.has(origin), 'Given by the server only')
          .optional(),
        title: editable.title.default(null),
        description: editable.description.default(null),
        url: editable.url.default(null),
        notes: editable.notes.default(null),
        /** Another word for notes. */
        text: editable.notes.optional(),
        tags: tags.default([]),
        archived: shape.archived.default(false),
        created: timestamp.optional(),
        /** A file becomes a memory of its own, also when it is there already. */
        separate: z.boolean().default(false),
        /** The file is the page behind `url` as the person saw it. */
        page: z.boolean().default(false),
      })
      .transform(({ text: words, ...body }) => ({ ...body, notes: body.notes ?? words ?? null })),
    example: {
      url: 'https://example.com/tides',
      title: 'Tide tables',
      tags: ['sea', 'harbour'],
    },
    multipart: { maxBytes: FILES.maxBytes, json: true },
    result: memoryShown,
    status: 201,
    also: { 200: memoryShown },
  }),
  'memory.search': defineEndpoint({
    method: 'POST',
    path: '/v1/memories/search',
    spaceless: true,
    summary:
      'Search by words, and by meaning where this server has an embedding model, with operators, ranking and marked snippets.',
    auth: 'member',
    guests: true,
    scope: 'search:read',
    limitable: true,
    rate: 'search',
    search: true,
    body: z.object({
      workspaceId: shape.workspaceId,
      query: text(LIMITS.searchQuery).default(''),
      spaceIds: z.array(idOf('space')).max(100).optional(),
      tags: z.array(tags.in.element).max(LIMITS.tagCount).optional(),
      types: z.array(z.enum(MEMORY_TYPES)).max(MEMORY_TYPES.length).optional(),
      origins: z.array(z.enum(ORIGINS)).max(ORIGINS.length).optional(),
      contentStatus: z.array(z.enum(CONTENT_STATUSES)).max(CONTENT_STATUSES.length).optional(),
      /** False excludes archived memories, true returns only them; the operator is:archived takes precedence. */
      archived: z.boolean().default(false),
      from: timestamp.optional(),
      to: timestamp.optional(),
      /**
       * Where this server has an embedding model, `hybrid` searches by words and by meaning, `text` only by words and
       * `semantic` only by meaning; without one `hybrid` is `text`, and `semantic` is refused. Queries with quoted or excluded
       * words, title: or url: search by words. `meta.mode` says what was done.
       */
      mode: z.enum(['hybrid', 'text', 'semantic']).default('hybrid'),
      ...pageFields,
    }),
    result: z.array(memoryShown.extend(searchHit).meta({ id: 'MemoryHit' })),
    list: true,
  }),
  'memory.get': defineEndpoint({
    method: 'GET',
    path: '/v1/memories/{workspaceId}/{id}',
    summary: 'One memory with all of its notes.',
    ...readers,
    params: one,
    result: memoryShown,
  }),
  'memory.body': defineEndpoint({
    method: 'GET',
    path: '/v1/memories/{workspaceId}/{id}/body',
    summary: 'The notes alone as text; the ETag is their hash, so an unchanged text is not sent again.',
    ...readers,
    params: one,
    result: z.string(),
    also: { 304: null },
    answer: 'file',
    mediaType: 'text/plain; charset=utf-8',
  }),
  'memory.page': defineEndpoint({
    method: 'GET',
    path: '/v1/memories/{workspaceId}/{id}/page',
    summary:
      'The text of the page behind a link as Markdown, as it was when it was fetched. 404 without one.',
    ...readers,
    params: one,
    result: z.string(),
    also: { 304: null },
    answer: 'file',
    mediaType: 'text/markdown; charset=utf-8',
  }),
  'memory.texts': defineEndpoint({
    method: 'POST',
    path: '/v1/memories/{workspaceId}/texts',
    summary:
      'Many notes and texts of pages at once, in the order asked for: an answer that is large enough ends early. A text that is not there is null.',
    ...readers,
    spaceless: true,
    rate: 'read',
    params: inWorkspace,
    body: z.object({ texts: z.array(textAddress).min(1).max(SYNC.textsPerRequest) }),
    result: z.array(textAddress.extend({ text: z.string().nullable() })),
  }),
  'memory.snapshot': defineEndpoint({
    method: 'GET',
    path: '/v1/memories/{workspaceId}/{id}/snapshot',
    summary:
      'The saved page of a link as one HTML file, as it was when it was fetched: with its styles and pictures, without scripts, and without anything that loads. 404 without one.',
    ...readers,
    params: one,
    result: z.string(),
    also: { 304: null },
    answer: 'file',
    mediaType: 'text/html; charset=utf-8',
  }),
  'memory.file': defineEndpoint({
    method: 'GET',
    path: '/v1/memories/{workspaceId}/{id}/file',
    summary: 'An address that returns the uploaded file of a memory for five minutes. 404 without a file.',
    ...readers,
    params: one,
    result: z.object({
      url: z.string(),
      expiresAt: timestamp,
      filename: z.string(),
      mediaType: z.string(),
      bytes: z.number().int(),
    }),
  }),
  'memory.preview': defineEndpoint({
    method: 'GET',
    path: '/v1/memories/{workspaceId}/{id}/preview',
    summary:
      'A small picture of a memory, for lists: its image, the first page of its PDF, or the picture that the page of a link names for itself, as WebP of at most 640 pixels, without the metadata of the original. The ETag is its hash. 404 until it is drawn, and for what shows nothing.',
    ...readers,
    rate: 'media',
    params: one,
    result: z.custom<Uint8Array>().meta({ type: 'string' }),
    also: { 304: null },
    answer: 'file',
    mediaType: 'image/webp',
  }),
  'memory.icon': defineEndpoint({
    method: 'GET',
    path: '/v1/memories/{workspaceId}/{id}/icon',
    summary:
      'The icon of the site of a link, for lists, as WebP of at most 64 pixels. The server fetches it when it is first asked for. 204 where the site has none.',
    ...readers,
    rate: 'media',
    params: one,
    result: z.custom<Uint8Array>().meta({ type: 'string' }),
    also: { 204: null, 304: null },
    answer: 'file',
    mediaType: 'image/webp',
  }),
  'memory.replace': defineEndpoint({
    method: 'PUT',
    path: '/v1/memories/{workspaceId}/{id}',
    summary: 'Replaces all editable fields.',
    ...writers,
    params: one,
    body: memory.replaceArgs.extend({
      title: editable.title.default(null),
      description: editable.description.default(null),
      notes: editable.notes.default(null),
    }),
    result: memoryShown,
  }),
  'memory.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/memories/{workspaceId}/{id}',
    summary:
      'Changes the given fields; contentStatus takes `pending` to try again, spaceId moves the memory.',
    ...writers,
    params: one,
    body: z
      .object({
        ...editable,
        spaceId: shape.spaceId,
        contentStatus: z.literal('pending', { error: 'Only `pending`, to try again' }),
      })
      .partial(),
    result: memoryShown,
  }),
  'memory.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/memories/{workspaceId}/{id}',
    summary: 'Deletes a memory; it can be brought back in the app for 30 days.',
    ...writers,
    params: one,
    result: z.null(),
  }),
  'tag.list': defineEndpoint({
    method: 'GET',
    path: '/v1/tags/{workspaceId}',
    summary: 'The tags of the memories that the person can read, with how many carry each.',
    ...readers,
    params: inWorkspace,
    query: pageQuery(['count', 'tag']).omit({ cursor: true }),
    result: z.array(z.object({ tag: z.string(), count: z.number().int() })),
    list: true,
  }),
} as const;

/** Everything that a workspace holds, for comparing it with another one. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { fileKey } from '#server/capture/service.ts';
import { previewKey } from '#server/capture/upload-store.ts';
import type { Id } from '#shared/ids.ts';
import type { Agent } from './agent.ts';
import type { World } from './world.ts';

/** What a workspace holds, as values that mean the same in every workspace: ids are replaced by what they name. */
export async function contentOf({ context }: World, id: Id<'workspace'>, reader: Agent) {
  const { db, files } = context;
  const spaces = await db
    .selectFrom('space')
    .selectAll()
    .where('workspaceId', '=', id)
    .where('deletedAt', 'is', null)
    .orderBy('name')
    .execute();
  const memories = await db
    .selectFrom('memory')
    .selectAll()
    .where('workspaceId', '=', id)
    .where('deletedAt', 'is', null)
    .execute();
  const links = await db.selectFrom('space_memory').selectAll().where('workspaceId', '=', id).execute();
  const pages = await db.selectFrom('memory_page').selectAll().where('workspaceId', '=', id).execute();
  const uploads = await db.selectFrom('upload').selectAll().where('workspaceId', '=', id).execute();
  const threads = await db
    .selectFrom('thread')
    .selectAll()
    .where('workspaceId', '=', id)
    .where('deletedAt', 'is', null)
    .orderBy('name')
    .execute();
  const messages = await db
    .selectFrom('message')
    .selectAll()
    .where('workspaceId', '=', id)
    .orderBy('createdAt')
    .orderBy('rewrittenAt')
    .execute();
  const spaceName = new Map<string, string>(spaces.map((row) => [row.id, row.name]));
  const nameOf = new Map<string, string>(
    memories.map((row) => [row.id, JSON.stringify([row.title, row.url, row.description, row.created])]),
  );
  const named = (text: string | null) =>
    text?.replace(/mem_[a-z1-9]{32}/g, (memoryId) => nameOf.get(memoryId) ?? 'nothing') ?? null;
  const bytesOf = async (uploadId: Id<'upload'> | null) => {
    if (uploadId === null) return null;
    const bytes = await files.get(fileKey({ workspaceId: id, id: uploadId }));
    return bytes && createHash('sha256').update(bytes).digest('hex');
  };
  const savedPageOf = async (memoryId: Id<'memory'>) => {
    const uploadId = pages.find((each) => each.memoryId === memoryId)?.snapshotId ?? null;
    const html = uploadId === null ? undefined : await files.get(fileKey({ workspaceId: id, id: uploadId }));
    return html === undefined ? null : { html: html.toString(), hash: await bytesOf(uploadId) };
  };
  /** Drawn anew by an import, so that its bytes and their hash are other ones. */
  const previewOf = async (uploadId: Id<'upload'> | null | undefined, preview: unknown) => {
    if (uploadId == null || typeof preview !== 'string') return null;
    const bytes = await files.get(previewKey({ workspaceId: id, id: uploadId, preview }));
    const { width, height } = await sharp(bytes).metadata();
    return { width, height };
  };
  const shownMemories = [];
  for (const row of memories) {
    const { id: memoryId, workspaceId: _w, ownerId: _o, createdBy: _c, lastEditedBy: _l, ...rest } = row;
    const { spaceId, uploadId, notes, bodyHash: _h, ...fields } = rest;
    const page = pages.find((each) => each.memoryId === memoryId && each.text !== null);
    const snapshotId = pages.find((each) => each.memoryId === memoryId)?.snapshotId;
    const { preview, ...metadata } = fields.metadata;
    shownMemories.push({
      ...fields,
      metadata,
      preview: await previewOf(uploadId ?? snapshotId, preview),
      home: spaceId === null ? null : spaceName.get(spaceId),
      notes: named(notes),
      // What visitors have seen of it is not part of an export.
      publicUpdated: undefined,
      file: await bytesOf(uploadId),
      kind: uploads.find((upload) => upload.id === uploadId)?.kind ?? null,
      savedPage: await savedPageOf(memoryId),
      page: page ? { url: page.url, text: page.text, hash: page.hash, fetched: page.fetched } : null,
      spaces: links
        .filter((link) => link.memoryId === memoryId)
        .map((link) => spaceName.get(link.spaceId) ?? 'nowhere')
        .toSorted(),
    });
  }
  const contentOfMessage = new Map<string, string>(messages.map((row) => [row.id, row.content]));
  const authorOf = (createdBy: string | null) => (createdBy === reader.user.id ? 'me' : null);
  return {
    spaces: spaces.map(
      ({ id: _id, workspaceId: _w, ownerId: _o, createdBy: _c, lastEditedBy: _l, ...fields }) => fields,
    ),
    memories: shownMemories.toSorted((a, b) =>
      JSON.stringify([a.title, a.url, a.description]) < JSON.stringify([b.title, b.url, b.description])
        ? -1
        : 1,
    ),
    threads: threads.map(
      ({ id: threadId, workspaceId: _w, ownerId: _o, createdBy: _c, lastEditedBy: _l, ...fields }) => ({
        ...fields,
        messages: messages
          .filter((row) => row.threadId === threadId)
          .map(({ role, content, citations, replyTo, versionOf, rewrittenAt, createdBy, createdAt }) => ({
            role,
            content,
            citations: citations.map(({ memoryId, quote }) => ({ source: nameOf.get(memoryId), quote })),
            replyTo: replyTo === null ? null : contentOfMessage.get(replyTo),
            versionOf: versionOf === null ? null : contentOfMessage.get(versionOf),
            rewrittenAt,
            author: authorOf(createdBy),
            createdAt,
          })),
      }),
    ),
  };
}

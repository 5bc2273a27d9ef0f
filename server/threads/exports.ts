/** The messages of a thread as a file shows them, to the public or to one member; reads only. */
import { sql, type SelectQueryBuilder } from 'kysely';
import { EXPORT_MESSAGES_MAX } from '#shared/threads/limits.ts';
import { AppError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { publicCitationPath } from '#shared/citation-path.ts';
import { memberCitationPath } from '#shared/member-citation-path.ts';
import type { ExportBody } from '#shared/threads/conversation.ts';
import type { Exported } from '#shared/threads/export-file.ts';
import type { PublicThread } from '#shared/threads/public-thread.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../db/tables.ts';
import { citationsFor } from './citations.ts';
import { publicMessages } from './public-store.ts';
import { messagesOf, type Reader } from './store.ts';

type ExportContext = Pick<Context, 'db' | 'config'>;
type Messages = Exported['messages'];

/**
 * All messages, or the selected ones, in the order of the thread.
 * @throws bad_request for too many, not_found when a selected one does not exist
 */
async function chosen<O extends { id: string }>(
  messages: SelectQueryBuilder<Tables, 'message', O>,
  { messageIds }: ExportBody,
): Promise<O[]> {
  const wanted =
    messageIds === undefined
      ? messages
      : messages.where('message.id', 'in', [newId('message'), ...messageIds]);
  // One more than allowed shows that there are too many.
  const rows = await wanted
    .orderBy('message.createdAt')
    .orderBy('message.id')
    .limit(EXPORT_MESSAGES_MAX + 1)
    .execute();
  if (rows.length > EXPORT_MESSAGES_MAX) {
    throw new AppError('bad_request', `messageIds: Choose ${EXPORT_MESSAGES_MAX} messages at most`);
  }
  if (rows.length < new Set(messageIds).size) throw new AppError('not_found', 'Message not found');
  return rows;
}

/** For the public: sources are masked, and lead to their public pages. @throws bad_request, not_found */
export async function messagesForPublic(
  { db, config }: ExportContext,
  { workspace }: PublicThread,
  body: ExportBody,
): Promise<Messages> {
  const rows = await chosen(publicMessages(db, { workspaceId: workspace.id, threadId: body.threadId }), body);
  return rows.map(({ citations, ...row }) => ({
    ...row,
    citations: citations.map((source) => {
      const path = publicCitationPath(workspace.slug, source);
      const { number, title } = source;
      return { number, title, href: path === null ? null : config.appOrigin + path, quote: null };
    }),
  }));
}

/** For a member: sources are named where the member may read them, and lead into the app. @throws bad_request, not_found */
export async function messagesForMember(
  { db, config }: ExportContext,
  reader: Reader,
  body: ExportBody,
): Promise<Messages> {
  const said = messagesOf(db, reader, body.threadId)
    .clearSelect()
    .select(['message.id', 'message.role', 'message.content', 'message.createdAt'])
    .select([
      citationsFor(reader).as('citations'),
      sql<string>`(select "slug" from "workspace" where "id" = "message"."workspaceId")`.as('slug'),
    ])
    .where('message.role', '!=', 'system');
  return (await chosen(said, body)).map(({ citations, slug, ...row }) => ({
    ...row,
    citations: citations.map(({ memoryId, ...source }) => ({
      ...source,
      href: memoryId === null ? null : config.appOrigin + memberCitationPath(slug, memoryId),
    })),
  }));
}

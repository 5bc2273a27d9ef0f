/** The public calls about workspaces: one without public content does not exist for the public. */
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import type { publicWorkspaceEndpoints } from '#shared/workspaces/public-endpoints.ts';
import type { PublicWorkspace } from '#shared/workspaces/public-workspace.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import { publiclyReadable } from '../sync/public.ts';
import { findIdBySlug } from './store.ts';

async function publicWorkspace({ db }: Context, id: string | undefined): Promise<PublicWorkspace> {
  const { rows } = await sql<PublicWorkspace>`
    select w."id", w."slug", w."name", w."description", w."created",
      (select count(*) from "space" where "space"."workspaceId" = w."id" and ${publiclyReadable('space', 'list')})
        as "spaceCount",
      (select count(*) from "thread" where "thread"."workspaceId" = w."id" and ${publiclyReadable('thread', 'list')})
        as "threadCount"
    from "workspace" w where w."id" = ${id ?? ''} and w."deletedAt" is null`.execute(db);
  const row = rows[0];
  if (row === undefined || row.spaceCount + row.threadCount === 0) {
    throw new AppError('not_found', 'Workspace not found');
  }
  return row;
}

export const publicWorkspaceHandlers = {
  'public_workspace.get_by_slug': async ({ context, params }) => ({
    result: await publicWorkspace(context, await findIdBySlug(context.db, params.slug, context.clock.now())),
  }),
  'public_workspace.get': async ({ context, params }) => ({
    result: await publicWorkspace(context, params.id),
  }),
} satisfies Handlers<typeof publicWorkspaceEndpoints>;

// Mutations of the workspace itself that a replica can decide alone. Slug, domain, members and deletion need the
// server's knowledge and go through REST.
import { z } from 'zod';
import { allow, present } from '../define/access.ts';
import { timestamp, withoutUndefined } from '../define/fields.ts';
import { defineMutator, workspaceOf } from '../define/mutator.ts';
import { workspace } from './workspace.ts';

const { shape } = workspace.row;

export const updateWorkspace = defineMutator({
  realm: 'workspace',
  args: z.object({
    at: timestamp,
    name: shape.name.optional(),
    description: shape.description.optional(),
    allowPublicSharing: shape.allowPublicSharing.optional(),
    publicChat: shape.publicChat.optional(),
  }),
  async run(tx, { at, ...given }, context) {
    const id = workspaceOf(context);
    present(await tx.get('workspace', id), 'Workspace');
    allow(context.actor, 'workspace.update');
    await tx.update('workspace', id, {
      ...withoutUndefined(given),
      updated: context.at(at),
      lastEditedBy: context.actor.userId,
    });
  },
});

// Mutations of the workspace itself that a replica can decide alone. Slug, domain, members and deletion need the
// server's knowledge and go through REST.
import { authorize, requireRow } from '../define/access.ts';
import { refuseOutdated, replacedTexts } from '../define/edited-texts.ts';
import { timestamp, withoutUndefined } from '../define/fields.ts';
import { defineMutator, workspaceOf } from '../define/mutator.ts';
import { workspace } from './workspace.ts';

const updateWorkspace = defineMutator({
  realm: 'workspace',
  args: workspace.patchArgs.omit({ slug: true, domain: true }).extend({
    at: timestamp,
    base: replacedTexts({ name: workspace.row.shape.name, description: workspace.row.shape.description }),
  }),
  async run(tx, { at, base, ...given }, context) {
    const id = workspaceOf(context);
    const row = requireRow(await tx.get('workspace', id), 'Workspace');
    authorize(context.actor, 'workspace.update');
    refuseOutdated(row, given, { base, by: context.actor.userId });
    await tx.update('workspace', id, {
      ...withoutUndefined(given),
      updated: context.arrival(at),
      lastEditedBy: context.actor.userId,
    });
  },
});

export const workspaceMutators = {
  'workspace.update': updateWorkspace,
} as const;

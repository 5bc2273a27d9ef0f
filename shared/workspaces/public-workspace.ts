// Public fields of a workspace: its name, address and counts, never its people.
import { z } from 'zod';
import { workspace } from './workspace.ts';

export const publicWorkspace = workspace.row
  .pick({ id: true, slug: true, name: true, description: true, created: true })
  .extend({ spaceCount: z.number().int(), threadCount: z.number().int() });
export type PublicWorkspace = z.output<typeof publicWorkspace>;

export const publicPlace = workspace.row.pick({ id: true, slug: true, name: true });

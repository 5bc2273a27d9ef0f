// The sidebar entity: how one person has arranged the spaces of one workspace, and the filters they saved, the same on all
// their devices. No other person reads it, and it does not affect the space itself.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { SIDEBAR } from './limits.ts';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { SIDEBAR_SECTIONS } from './sidebar-order.ts';

const spaceId = idOf('space');
export const filterName = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.name)
  .regex(/^\P{Cc}*$/u, 'One line');
/** Parameters of the address of the list of all memories, without a question mark. */
export const filterQuery = z
  .string()
  .min(1)
  .max(LIMITS.url)
  .regex(/^[\x21-\x7e]*$/, 'Parameters of an address');

export const sidebar = defineEntity('sidebar', {
  fields: {
    workspaceId: idOf('workspace'),
    userId: idOf('user'),
    /** Spaces of the section "Pinned", in its order; ids of deleted spaces may be among them. */
    pinned: z.array(spaceId).max(SIDEBAR.pinned),
    /** Spaces in the person's own order; those that are not named follow by name. */
    order: z.array(spaceId).max(SIDEBAR.ordered),
    /** Sections that show only their heading. */
    collapsed: z.array(z.enum(SIDEBAR_SECTIONS)).max(SIDEBAR_SECTIONS.length),
    /** Saved lists of the person, by name. */
    filters: z.record(filterName, filterQuery),
    created: timestamp,
    updated: timestamp,
  },
  create: [],
  update: [],
  defaults: { filters: {} },
  filters: [],
});
export type Sidebar = RowOf<typeof sidebar>;

// The link between a space and a memory. A link only ever widens who reads the memory.
import { defineEntity, type RowOf } from '../define/entity.ts';
import { timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';

export const spaceMemory = defineEntity('space_memory', {
  fields: {
    workspaceId: idOf('workspace'),
    spaceId: idOf('space'),
    memoryId: idOf('memory'),
    createdBy: idOf('user'),
    created: timestamp,
  },
  create: ['workspaceId', 'spaceId', 'memoryId'],
  update: [],
  defaults: {},
  filters: ['spaceId', 'memoryId'],
});
export type SpaceMemory = RowOf<typeof spaceMemory>;

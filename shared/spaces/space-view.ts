// A space as it looks to other people, for those who decide who sees it.
import { z } from 'zod';
import { memory } from '../memories/memory.ts';
import { space } from './space.ts';
import { SPACE_VIEWERS } from './visibility.ts';

/** Memories that one view lists; the total counts all. */
export const SPACE_VIEW_MAX = 50;

const viewedMemory = memory.row.pick({
  id: true,
  type: true,
  title: true,
  description: true,
  tags: true,
  created: true,
});
export type ViewedMemory = z.output<typeof viewedMemory>;

export const spaceView = z
  .object({
    viewer: z.enum(SPACE_VIEWERS),
    /** Whether they see the space at all. */
    reads: z.boolean(),
    space: space.row.pick({ name: true, description: true }).nullable(),
    memories: z.array(viewedMemory),
    total: z.number().int(),
  })
  .meta({ id: 'SpaceView' });
export type SpaceView = z.output<typeof spaceView>;

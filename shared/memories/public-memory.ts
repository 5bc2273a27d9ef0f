// What the public sees of a memory (PRODUCT 5.4): an allow-list, so a field added to the entity stays private.
import type { z } from 'zod';
import { memory } from './memory.ts';

export const publicMemory = memory.row.pick({
  id: true,
  type: true,
  title: true,
  description: true,
  summary: true,
  url: true,
  tags: true,
  screenshot: true,
  filename: true,
  contentStatus: true,
  created: true,
  updated: true,
});
export type PublicMemory = z.output<typeof publicMemory>;

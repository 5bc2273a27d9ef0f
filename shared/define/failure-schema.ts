// The schema of every failed call's response.
import { z } from 'zod';
import type { Failure, QuotedMemory } from '../errors.ts';
import { idOf } from './id-schema.ts';

export const quotedMemory: z.ZodType<QuotedMemory> = z.object({
  memoryId: idOf('memory'),
  title: z.string(),
});

/** Body of every failure on /v1. */
export const failureSchema: z.ZodType<Failure> = z.object({
  success: z.literal(false),
  error: z.object({
    message: z.string(),
    detail: z.string(),
    code: z.string(),
    /** Of `quotes_private`: the memories that are quoted. */
    memories: z.array(quotedMemory).optional(),
  }),
});

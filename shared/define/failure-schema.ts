// The schema of every failed call's response.
import { z } from 'zod';
import type { Failure } from '../errors.ts';

/** Body of every failure on /v1. */
export const failureSchema: z.ZodType<Failure> = z.object({
  success: z.literal(false),
  error: z.object({ message: z.string(), detail: z.string(), code: z.string() }),
});

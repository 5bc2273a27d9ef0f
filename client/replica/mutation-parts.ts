import { MANY_STEP } from '#shared/constants.ts';

/** Splits items into the parts that one mutation changes. */
export function mutationParts<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / MANY_STEP) }, (_, index) =>
    items.slice(index * MANY_STEP, (index + 1) * MANY_STEP),
  );
}

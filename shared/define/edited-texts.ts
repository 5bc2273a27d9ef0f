// Edits of short texts. The replaced text distinguishes an edit of the present text from one of a text that has changed since;
// times cannot, because a device may have been away for weeks or have a wrong clock.
import { z } from 'zod';
import { AppError } from '../errors.ts';

/** The texts that an edit replaces, as its author saw them. A text that is left out is not compared. */
export function replacedTexts<S extends z.ZodRawShape>(shape: S) {
  return z.object(shape).partial().optional();
}

interface Edited {
  lastEditedBy: string | null;
}

/** @throws conflict when a text that the edit changes is neither what its author saw nor what it is to become */
export function refuseOutdated<R extends Edited>(
  row: R,
  given: Partial<R>,
  { base = {}, by }: { base: Partial<R> | undefined; by: string },
): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of the mutation knows no other keys
  for (const field of Object.keys(base) as (keyof R & string)[]) {
    const [seen, next] = [base[field], given[field]];
    if (seen === undefined || next === undefined || row[field] === seen || row[field] === next) continue;
    // A fetched page fills empty fields; a person's text takes precedence.
    if (seen === null && row.lastEditedBy === by) continue;
    throw new AppError('conflict', `${field}: this text was changed elsewhere meanwhile`);
  }
}

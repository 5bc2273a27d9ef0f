// Statements across workspaces use this, with the reason; every other statement names the workspace of each row that it
// touches, because the rows of a workspace may be on a separate server.
import { sql, type RawBuilder } from 'kysely';

/** Why a statement may go across workspaces. */
const REASONS = {
  address: 'the slug of a workspace leads to it',
  account: 'what one person has in all of their workspaces',
  credential: 'a secret or an invitation that was presented says which workspace is meant',
  installation: 'what is true of the whole installation: an id is taken, calls are counted since a day',
  job: 'a queued job names the id of its work, and what follows names the workspace',
  public: 'the public finds things by an id alone, or in lists of all workspaces',
  purge: 'rows whose time is over go, wherever they are',
  staff: 'staff look at the whole installation',
  upkeep: 'a task looks for work in all workspaces, and then works in each by name',
} as const;

export type AcrossReason = keyof typeof REASONS;

/** Comment that marks a statement; the first group is the reason. */
export const ACROSS_MARK = /\/\* across: ([a-z]+) \*\//g;

/** True for a reason of the table above. */
export function isAcrossReason(text: string): text is AcrossReason {
  return Object.hasOwn(REASONS, text);
}

/** The mark, to be put into the statement. */
export function across(reason: AcrossReason): RawBuilder<unknown> {
  return sql.raw(`/* across: ${reason} */`);
}

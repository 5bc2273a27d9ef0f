// Small guards that every mutator starts with: the row must be there, and the actor must be allowed.
import { AppError } from '../errors.ts';
import { can, type Action, type Actor, type Subject } from '../permissions.ts';

/** @throws not_found when there is no such row for this actor */
export function requireRow<T>(row: T | undefined, what: string): T {
  if (row === undefined) throw new AppError('not_found', `${what} not found`);
  return row;
}

/** @throws forbidden when the permission table denies the action */
export function authorize(actor: Actor, action: Action, subject: Subject = {}): void {
  if (!can(actor, action, subject)) {
    throw new AppError('forbidden', `Your position does not allow this (${action})`);
  }
}

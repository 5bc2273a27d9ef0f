// Maps a failed call to a field of a form. The server puts the name of the field before the message:
// "url: Must be an http or https address".
import { ApiProblem } from '#client/api/api-problem.ts';

export interface FieldProblem<F extends string> {
  /** Undefined when it concerns the form as a whole. */
  field: F | undefined;
  text: string;
}

export function problemOf<F extends string>(failure: unknown, fields: readonly F[]): FieldProblem<F> {
  if (!(failure instanceof ApiProblem))
    return { field: undefined, text: 'Could not reach the server. Try again when you are online.' };
  const { detail } = failure.error;
  const field = fields.find((name) => detail.startsWith(`${name}: `));
  return { field, text: field === undefined ? detail : detail.slice(field.length + 2) };
}

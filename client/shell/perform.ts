/** Carrying out what a person asked for: one step after the other, and a failure is shown, never swallowed. */
import { showProblem } from '#client/shell/problem-toast.ts';

/** The first failure is shown and ends the rest. Resolves to whether everything went through. */
export async function perform(...steps: readonly (() => Promise<unknown>)[]): Promise<boolean> {
  try {
    for (const step of steps) await step();
    return true;
  } catch (failure) {
    showProblem(failure);
    return false;
  }
}

/** Runs the steps of an action one after the other; a failure is always shown. */
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

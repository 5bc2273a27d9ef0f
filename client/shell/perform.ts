import { showProblem } from '#client/shell/problem-toast.ts';

/** Performs an action; a failure is shown. Resolves to whether it went through. */
export async function perform(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (failure) {
    showProblem(failure);
    return false;
  }
}

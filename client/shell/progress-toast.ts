/** A toast that shows the progress of a slow action. */
import { closeToast, showToast } from '#client/shell/toasts.ts';

/** Shorter actions show nothing but their result. */
const SHOWN_AFTER_MS = 1_000;

let counter = 0;

/** Runs an action that reports how much of `total` is done; the toast closes when it ends. */
export async function withProgress<T>(
  { title, total }: { title: string; total: number },
  run: (report: (done: number) => void) => Promise<T>,
): Promise<T> {
  counter += 1;
  const id = `progress-${counter}`;
  let done = 0;
  let isShown = false;
  const show = () => {
    isShown = true;
    showToast({ id, title: `${title}: ${done} of ${total}` });
  };
  const timer = setTimeout(show, SHOWN_AFTER_MS);
  try {
    return await run((reported) => {
      done = reported;
      if (isShown) show();
    });
  } finally {
    clearTimeout(timer);
    closeToast(id);
  }
}

/** Draws what is too much for one frame piece by piece. */
import { useEffect, useState } from 'react';

/**
 * Number of pieces to draw now: the first at once, then one more in each frame. By frames, because the browser lays out
 * whatever has come between two of them in a single task.
 */
export function useGrowing(pieces: number): number {
  const [shown, setShown] = useState(1);
  useEffect(() => {
    if (shown >= pieces) return undefined;
    // After the frame: what is set inside it would be laid out together with what is there.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setShown(shown + 1));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [shown, pieces]);
  return shown;
}

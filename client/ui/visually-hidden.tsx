/**
 * Words for screen readers only.
 * Never for something that can take focus.
 */
import type { ReactNode } from 'react';

/** Inline text that is read and not seen. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}

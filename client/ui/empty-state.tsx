/**
 * Empty state: an unlit arcade, one sentence, one action, and optionally an example. The texts are the caller's;
 * "nothing yet", "filtered to nothing" and "not synced yet" are different texts.
 */
import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** Decorative. */
export function UnlitArcade({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 132 56"
      fill="currentColor"
      aria-hidden="true"
      className={clsx('w-33 text-ink-faint', className)}
    >
      <path opacity=".16" d="M0 56V34a12 12 0 0 1 24 0v22Z M108 56V30a12 12 0 0 1 24 0v26Z" />
      <path opacity=".24" d="M27 56V22a12 12 0 0 1 24 0v34Z M81 56V26a12 12 0 0 1 24 0v30Z" />
      <path opacity=".34" d="M54 56V12a12 12 0 0 1 24 0v44Z" />
    </svg>
  );
}

/** Centred in its parent. */
export function EmptyState({ title, children, action, className }: EmptyStateProps) {
  return (
    <div className={clsx('mx-auto flex max-w-sm flex-col items-center px-4 py-14 text-center', className)}>
      <UnlitArcade className="mb-5" />
      <p className="font-serif text-name">{title}</p>
      {children !== undefined && <div className="mt-1.5 text-ink-muted">{children}</div>}
      {action !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/**
 * What stands where nothing is yet: one sentence, one act, maybe an example.
 * The words are the caller's; "nothing yet", "filtered to nothing" and "not synced yet" are different texts.
 */
import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** Centred in the space it is given. */
export function EmptyState({ icon, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={clsx('mx-auto flex max-w-sm flex-col items-center px-4 py-14 text-center', className)}>
      {icon !== undefined && (
        <span
          aria-hidden="true"
          className="mb-4 grid size-10 place-items-center rounded-card border border-line bg-raised text-ink-faint [&_svg]:size-5"
        >
          {icon}
        </span>
      )}
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="mt-1 text-ink-muted">{children}</div>}
      {action !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

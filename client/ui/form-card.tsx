/**
 * The card of a page that is one form: heading, one line of explanation, the form, and a link below.
 */
import type { ReactNode } from 'react';

interface FormCardProps {
  title: ReactNode;
  lead?: ReactNode;
  children?: ReactNode;
  foot?: ReactNode;
}

/** One per page; its title is the page's h1. */
export function FormCard({ title, lead, children, foot }: FormCardProps) {
  return (
    <>
      <div className="rounded-dialog border border-line bg-raised p-6 sm:p-8">
        <h1 tabIndex={-1} className="font-serif text-page outline-none">
          {title}
        </h1>
        {lead !== undefined && <p className="mt-1.5 text-ink-muted">{lead}</p>}
        {children !== undefined && <div className="mt-6">{children}</div>}
      </div>
      {foot !== undefined && <p className="mt-5 text-center text-ink-muted">{foot}</p>}
    </>
  );
}

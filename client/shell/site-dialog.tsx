/** A dialog of a public page, as a template of the document: not rendered until native-dialog.ts instantiates it. */
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { SiteButton } from '#client/shell/site-button.tsx';

export const DIALOG_GROUND = 'border-0 bg-raised p-0 text-ink shadow-float outline-none backdrop:bg-overlay';

interface SiteDialogProps {
  id: string;
  title: string;
  description: string;
  children: ReactNode;
}

/** A sheet at the foot of a phone, in the middle elsewhere. */
export function SiteDialog({ id, title, description, children }: SiteDialogProps) {
  return (
    <template id={id}>
      <dialog
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-words`}
        className={clsx(
          DIALOG_GROUND,
          'fixed mx-auto mt-auto mb-0 w-full max-w-full rounded-t-dialog open:animate-rise-in',
          'sm:mt-[12vh] sm:mb-auto sm:max-w-md sm:rounded-dialog sm:open:animate-pop-in',
        )}
      >
        <div className="px-5 pt-4 pb-5">
          <h2 id={`${id}-title`} className="pe-9 font-serif text-name">
            {title}
          </h2>
          <p id={`${id}-words`} className="mt-1 mb-4 pe-9 text-sm text-ink-muted">
            {description}
          </p>
          {children}
        </div>
        <SiteButton label="Close" data-action="close-dialog" className="absolute! end-3 top-3">
          <SiteIcon name="x" />
        </SiteButton>
      </dialog>
    </template>
  );
}

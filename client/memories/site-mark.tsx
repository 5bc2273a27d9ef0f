/** The first letter of a site on a hue that is always the same for it: no request is sent to the site itself. */
import { clsx } from 'clsx';
import { hueOf } from '#shared/spaces/space-looks.ts';
import { SPACE_HUE } from '#client/spaces/space-mark-card.tsx';

/** Decorative: the name of the site is beside it. */
export function SiteMark({ site, className }: { site: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'grid shrink-0 place-items-center bg-current text-xs font-semibold',
        SPACE_HUE[hueOf(site)],
        className,
      )}
    >
      <span className="text-raised">{site.slice(0, 1).toUpperCase()}</span>
    </span>
  );
}

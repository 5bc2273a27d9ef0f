/** The sign of a link's site: its icon, from our server, or its first letter on a hue that is always the same for it. */
import { clsx } from 'clsx';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { hueOf } from '#shared/spaces/space-looks.ts';
import { useSiteIcon } from '#client/replica/use-site-icon.ts';
import { SPACE_HUE } from '#client/spaces/space-mark-card.tsx';

interface SiteMarkProps {
  row: MemoryHead;
  site: string;
  className?: string;
}

/** Decorative: the name of the site is beside it. */
export function SiteMark({ row, site, className }: SiteMarkProps) {
  const icon = useSiteIcon(row);
  const look = clsx('grid shrink-0 place-items-center', className);
  if (icon !== undefined)
    return (
      <span aria-hidden="true" className={clsx('bg-hover dark:bg-ink', look)}>
        <img src={icon} alt="" className="size-2/3 rounded-xs object-contain" />
      </span>
    );
  return (
    <span
      aria-hidden="true"
      className={clsx('bg-current text-xs font-semibold', SPACE_HUE[hueOf(site)], look)}
    >
      <span className="text-raised">{site.slice(0, 1).toUpperCase()}</span>
    </span>
  );
}

/**
 * The sign of a memory wherever one is named: the icon of a link's site, from our server, or the site's first letter on a hue
 * that is always the same for it; of other memories their kind.
 */
import { clsx } from 'clsx';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { domainOf } from '#shared/memories/memory-text.ts';
import { hueOf } from '#shared/spaces/space-looks.ts';
import { KindIcon } from '#client/memories/memory-kind.tsx';
import { useSiteIcon } from '#client/replica/use-site-icon.ts';
import { SPACE_HUE } from '#client/spaces/space-mark-card.tsx';

interface MemorySignProps {
  row: MemoryHead;
  /** As in a list, where signs stand in a column; else as high as a line of text. */
  large?: boolean;
  className?: string;
}

/** Decorative: the name of the site, the file or the kind is beside it. */
export function MemorySign({ row, large = false, className }: MemorySignProps) {
  const icon = useSiteIcon(row);
  const site = domainOf(row.url);
  const look = clsx(
    'grid shrink-0 place-items-center',
    large ? 'size-6.5 rounded-md' : 'size-4.5 rounded',
    className,
  );
  if (site === undefined)
    return (
      <span className={clsx(large && 'bg-hover', look)}>
        <KindIcon type={row.type} className={large ? 'size-3.5' : 'size-4'} />
      </span>
    );
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

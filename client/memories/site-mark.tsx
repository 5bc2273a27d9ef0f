/** The first letter of a site in a colour that is always the same for it: nothing is asked of the site itself. */
import { clsx } from 'clsx';

const GROUNDS = [
  'bg-red-100 dark:bg-red-950',
  'bg-amber-100 dark:bg-amber-950',
  'bg-lime-100 dark:bg-lime-950',
  'bg-teal-100 dark:bg-teal-950',
  'bg-sky-100 dark:bg-sky-950',
  'bg-indigo-100 dark:bg-indigo-950',
  'bg-pink-100 dark:bg-pink-950',
] as const;

function groundOf(site: string): string | undefined {
  let sum = 0;
  for (let index = 0; index < site.length; index += 1) sum = (sum * 31 + site.charCodeAt(index)) % 65_521;
  return GROUNDS[sum % GROUNDS.length];
}

/** Decorative: the name of the site stands beside it. */
export function SiteMark({ site, className }: { site: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'grid shrink-0 place-items-center rounded text-[10px] font-semibold text-ink',
        groundOf(site),
        className,
      )}
    >
      {site.slice(0, 1).toUpperCase()}
    </span>
  );
}

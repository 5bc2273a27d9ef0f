// Icons of the public site, from one picture file instead of JavaScript: a page loads them once, for all pages.
import type { SiteIconName } from '#shared/site/icon-names.ts';
import sprite from '#client/shell/icons.svg';

/** Decorative: whatever carries an icon has a text or a label of its own. */
export function SiteIcon({ name, className = 'size-4' }: { name: SiteIconName; className?: string }) {
  return (
    <svg aria-hidden="true" className={className}>
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}

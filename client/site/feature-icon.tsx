// The icon of a feature in its soft square. Content files name it; a name that does not exist fails the build.
import type { SiteIconName } from '#shared/site/icon-names.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';

export function FeatureIcon({ name }: { name: SiteIconName }) {
  return (
    <span className="inline-flex size-9 items-center justify-center rounded-control bg-primary-soft text-primary">
      <SiteIcon name={name} className="size-4.5" />
    </span>
  );
}

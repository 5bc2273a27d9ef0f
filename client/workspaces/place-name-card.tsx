// The name of the workspace that shows something to the web, as a link where it has a page of its own.
import { pathTo } from '#shared/pages.ts';

interface PlaceNameProps {
  workspace: { slug: string; name: string };
  /** The place itself is public, so the workspace's page exists; an unlisted place has no link to it. */
  listed: boolean;
}

export function PlaceName({ workspace: { slug, name }, listed }: PlaceNameProps) {
  if (!listed) return <span className="font-medium text-ink">{name}</span>;
  return (
    <a
      href={pathTo('public_workspace', { workspace_slug: slug })}
      className="inline-flex min-h-6 items-center font-medium text-ink hover:text-primary hover:underline"
    >
      {name}
    </a>
  );
}

/**
 * A public space in a list: cover, name, a few words, how much it holds and whose it is. Used by explore, the page of
 * a workspace and the preview in the share dialog; without script and icons, so that it costs a public page nothing.
 */
import { clsx } from 'clsx';
import { pathTo } from '#shared/pages.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { SpaceCover } from '#client/spaces/space-cover-card.tsx';
import { countMemories } from '#shared/english.ts';

/** Fields of the card; the share dialog has these of a space that is not public yet. */
export type PublicSpaceCardFacts = Pick<
  PublicSpace,
  'name' | 'description' | 'color' | 'slug' | 'memoryCount' | 'workspace'
>;

interface PublicSpaceCardProps {
  space: PublicSpaceCardFacts;
  /** A picture of the card only, as in a preview. */
  inert?: boolean;
  className?: string;
}

export function PublicSpaceCard({ space, inert = false, className }: PublicSpaceCardProps) {
  const { name, description, color, slug, memoryCount, workspace } = space;
  return (
    <article
      className={clsx(
        'group relative flex flex-col overflow-hidden rounded-card border border-line bg-raised p-5 wrap-anywhere',
        !inert && 'hover:border-line-strong',
        className,
      )}
    >
      <div className="-mx-5 -mt-5 shrink-0">
        <SpaceCover color={color} name={name} lit={memoryCount > 0} />
      </div>
      <h3 className="mt-4 font-serif text-name">
        {inert ? (
          name
        ) : (
          <a
            href={pathTo('public_space', { workspace_slug: workspace.slug, space_slug: slug })}
            className="after:absolute after:inset-0 group-hover:text-primary"
          >
            {name}
          </a>
        )}
      </h3>
      {description && <p className="mt-2 line-clamp-3 leading-6 text-ink-muted">{description}</p>}
      <p className="mt-auto pt-4 text-xs text-ink-muted">
        {countMemories(memoryCount)} · {workspace.name}
      </p>
    </article>
  );
}

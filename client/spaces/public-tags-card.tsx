// The tags of a memory on a public page.
import { clsx } from 'clsx';

/** Nothing without tags. */
export function PublicTags({ tags, className }: { tags: readonly string[]; className?: string }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className={clsx('flex flex-wrap gap-1.5', className)}>
      {tags.map((tag) => (
        <li
          key={tag}
          className="rounded-full bg-sunk px-2 py-0.5 text-xs text-ink-muted ring-1 ring-line ring-inset"
        >
          {tag}
        </li>
      ))}
    </ul>
  );
}

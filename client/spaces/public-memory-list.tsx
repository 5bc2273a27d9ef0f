// The memories of a public space as a calm list: title, link, excerpt, tags. Every field is text from people and is only ever
// drawn as text.
import { publicMemoryPath } from '#shared/citation-path.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import type { PublicMemory } from '#shared/memories/public-memory.ts';
import { LINK_REL, safeLink } from '#shared/markdown/safe-link.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { PublicTags } from '#client/spaces/public-tags-card.tsx';

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? '';
}

interface MemoryItemProps {
  space: PublicSpace;
  memory: PublicMemory;
}

/** Leads to the memory's page; in a space without such pages to what a link saves. */
function Title({ space, memory }: MemoryItemProps) {
  const words = memoryTitle({ ...memory, notes: memory.text ?? memory.excerpt });
  const page = space.publishText
    ? publicMemoryPath({
        workspaceSlug: space.workspace.slug,
        spaceSlug: space.slug,
        memoryId: memory.id,
        hasPage: true,
      })
    : undefined;
  const link = page ?? safeLink(memory.url ?? undefined);
  if (link === undefined) return <>{words}</>;
  return (
    <a
      href={link}
      rel={page === undefined ? LINK_REL : undefined}
      className="decoration-line-strong underline-offset-4 hover:text-primary hover:underline"
    >
      {words}
    </a>
  );
}

function Host({ space, link }: { space: PublicSpace; link: string }) {
  const host = hostOf(link);
  return (
    <p className="mt-0.5 text-xs leading-5 text-ink-faint">
      {space.publishText ? (
        <a
          href={link}
          rel={LINK_REL}
          className="inline-flex min-h-6 items-center hover:text-primary hover:underline"
        >
          {host}
        </a>
      ) : (
        host
      )}
    </p>
  );
}

function MemoryItem({ space, memory }: MemoryItemProps) {
  const link = safeLink(memory.url ?? undefined);
  const text = memory.summary || memory.description || memory.excerpt;
  return (
    <li id={memory.id} className="scroll-mt-20 border-t border-line py-5 wrap-anywhere">
      <h3 className="font-serif text-name">
        <Title space={space} memory={memory} />
      </h3>
      {link !== undefined && <Host space={space} link={link} />}
      {text && <p className="mt-1.5 line-clamp-3 leading-6 text-ink-muted">{text}</p>}
      <PublicTags tags={memory.tags} className="mt-2.5" />
    </li>
  );
}

interface PublicMemoryListProps {
  space: PublicSpace;
  memories: readonly PublicMemory[];
}

/** In the order of `memories`; two columns where there is room. */
export function PublicMemoryList({ space, memories }: PublicMemoryListProps) {
  return (
    <ul className="grid gap-x-10 border-b border-line lg:grid-cols-2">
      {memories.map((memory) => (
        <MemoryItem key={memory.id} space={space} memory={memory} />
      ))}
    </ul>
  );
}

// The memories of a public space as a calm list: title, where it leads, what it says, tags. Every field is text from
// people and is only ever drawn as text.
import { memoryTitle } from '#shared/memories/memory-text.ts';
import type { PublicMemory } from '#shared/memories/public-memory.ts';
import { LINK_REL, safeLink } from '#shared/markdown/safe-link.ts';

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? '';
}

function Title({ memory, link }: { memory: PublicMemory; link: string | undefined }) {
  const words = memoryTitle({ ...memory, notes: memory.text ?? memory.excerpt });
  if (link === undefined) return <>{words}</>;
  return (
    <a
      href={link}
      rel={LINK_REL}
      className="decoration-line-strong underline-offset-4 hover:text-primary-text hover:underline"
    >
      {words}
    </a>
  );
}

function MemoryItem({ memory }: { memory: PublicMemory }) {
  const link = safeLink(memory.url ?? undefined);
  const text = memory.summary || memory.description || memory.excerpt;
  return (
    <li id={memory.id} className="scroll-mt-20 border-t border-line py-5 wrap-anywhere">
      <h3 className="text-base leading-6 font-medium">
        <Title memory={memory} link={link} />
      </h3>
      {link !== undefined && <p className="mt-0.5 text-xs leading-5 text-ink-faint">{hostOf(link)}</p>}
      {text && <p className="mt-1.5 line-clamp-3 leading-6 text-ink-muted">{text}</p>}
      {memory.tags.length > 0 && (
        <ul aria-label="Tags" className="mt-2.5 flex flex-wrap gap-1.5">
          {memory.tags.map((tag) => (
            <li
              key={tag}
              className="rounded-full bg-sunken px-2 py-0.5 text-xs text-ink-muted ring-1 ring-line ring-inset"
            >
              {tag}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** In the order given; two columns where there is room. */
export function PublicMemoryList({ memories }: { memories: readonly PublicMemory[] }) {
  return (
    <ul className="grid gap-x-10 border-b border-line lg:grid-cols-2">
      {memories.map((memory) => (
        <MemoryItem key={memory.id} memory={memory} />
      ))}
    </ul>
  );
}

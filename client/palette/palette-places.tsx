/**
 * Spaces, threads and tags of the palette, and actions for text that matches none of them. Reads the replica only; makes no
 * call.
 */
import { MessageCircleQuestion, MessagesSquare, StickyNote, Tag } from 'lucide-react';
import { useNavigate } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { useTagCounts } from '#client/memories/queries.ts';
import { PaletteGroup, type GroupProps } from '#client/palette/palette-group.tsx';
import { PaletteRow } from '#client/palette/palette-row.tsx';
import { MarkedText } from '#client/shell/marked-text.tsx';
import { openModal } from '#client/shell/modals.ts';
import { SpaceMark } from '#client/spaces/space-mark-card.tsx';
import { useSpaces } from '#client/spaces/queries.ts';
import { useBeginThread } from '#client/threads/begin-thread.ts';
import { threadWords, useThreadMatches } from '#client/threads/queries.ts';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';

const SHOWN = 8;
const TAGS_SHOWN = 50;

/** Spaces by name. `all` shows more of them than a mixed list has room for. */
export function SpaceRows({ text, done, all }: GroupProps & { all: boolean }) {
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  const wanted = text.toLowerCase();
  const spaces = useSpaces().filter(({ name }) => name.toLowerCase().includes(wanted));
  if (spaces.length === 0) return all ? <PaletteNote>No space with this name.</PaletteNote> : null;
  return (
    <PaletteGroup heading="Spaces">
      {spaces.slice(0, all ? TAGS_SHOWN : SHOWN).map((space) => (
        <PaletteRow
          key={space.id}
          value={space.id}
          icon={<SpaceMark color={space.color} />}
          onSelect={() =>
            done(() => void navigate(pathTo('space', { workspace_slug: slug, space_slug: space.slug })))
          }
        >
          {space.name}
        </PaletteRow>
      ))}
    </PaletteGroup>
  );
}

/** Threads by name and by the text of their messages. */
export function ThreadRows({ text, done }: GroupProps) {
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  const matches = useThreadMatches(text).slice(0, SHOWN);
  const words = { words: [], prefixes: threadWords(text) };
  if (matches.length === 0) return null;
  return (
    <PaletteGroup heading="Threads">
      {matches.map(({ thread, passage }) => (
        <PaletteRow
          key={thread.id}
          value={thread.id}
          icon={<MessagesSquare />}
          detail={passage === undefined ? undefined : <MarkedText text={passage} words={words} />}
          onSelect={() =>
            done(() => void navigate(pathTo('thread', { workspace_slug: slug, thread_id: thread.id })))
          }
        >
          <MarkedText text={thread.name} words={words} />
        </PaletteRow>
      ))}
    </PaletteGroup>
  );
}

/** Tags, most used first. */
export function TagRows({ text, done }: GroupProps) {
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  const wanted = text.toLowerCase();
  const tags = useTagCounts().filter(([tag]) => tag.includes(wanted));
  const to = (tag: string) =>
    `${pathTo('workspace_home', { workspace_slug: slug })}?tag=${encodeURIComponent(tag)}`;
  if (tags.length === 0) return <PaletteNote>No tag with this name.</PaletteNote>;
  return (
    <PaletteGroup heading="Tags">
      {tags.slice(0, TAGS_SHOWN).map(([tag, count]) => (
        <PaletteRow
          key={tag}
          value={`tag:${tag}`}
          icon={<Tag />}
          onSelect={() => done(() => void navigate(to(tag)))}
        >
          {tag} <span className="text-xs text-ink-faint">{count}</span>
        </PaletteRow>
      ))}
    </PaletteGroup>
  );
}

/** A line between the rows that cannot be chosen. */
export function PaletteNote({ children }: { children: string }) {
  return <p className="px-2.5 py-2.5 text-xs text-ink-muted">{children}</p>;
}

/** The `?` mode: starts a thread with the question, or opens the thread with the same question. */
export function AskRows({ text, done }: GroupProps) {
  const can = useCan();
  const ask = useBeginThread();
  return (
    <>
      {can('thread.create') && text !== '' && (
        <PaletteGroup heading="Ask">
          <PaletteRow
            value="ask"
            icon={<MessageCircleQuestion />}
            onSelect={() => done(() => void ask(text))}
          >
            Ask “{text}” in a new thread
          </PaletteRow>
        </PaletteGroup>
      )}
      <PaletteNote>Starts a thread with your question.</PaletteNote>
      <ThreadRows text={text} done={done} />
    </>
  );
}

/** Actions for text that matches no command. */
export function Fallbacks({ text, done }: GroupProps) {
  const can = useCan();
  const ask = useBeginThread();
  if (!can('memory.create') && !can('thread.create')) return null;
  return (
    <PaletteGroup heading="With these words">
      {can('memory.create') && (
        <PaletteRow
          value="fallback:save"
          icon={<StickyNote />}
          onSelect={() => done(() => openModal('createMemory', { text }))}
        >
          Save “{text}” as note
        </PaletteRow>
      )}
      {can('thread.create') && (
        <PaletteRow
          value="fallback:ask"
          icon={<MessagesSquare />}
          onSelect={() => done(() => void ask(text))}
        >
          Start a thread with “{text}”
        </PaletteRow>
      )}
    </PaletteGroup>
  );
}

/** The versions of an answer that was written again: what it said before is kept beside it. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { Message } from '#shared/threads/message.ts';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';

/** Earlier versions by the id of the answer, oldest first. */
export type Versions = ReadonlyMap<string, readonly Message[]>;

/** When the text was written, in UTC. */
export const writtenAt = ({ rewrittenAt, createdAt }: Message): string => rewrittenAt ?? createdAt;

/** What a thread says now, in the order given, and the earlier versions of its answers. */
export function withoutVersions(messages: readonly Message[]): {
  turns: readonly Message[];
  versions: Versions;
} {
  // A row that this device got before there were versions has no such field.
  const earlier = messages.filter(({ versionOf }) => Boolean(versionOf));
  if (earlier.length === 0) return { turns: messages, versions: new Map() };
  earlier.sort((a, b) => (writtenAt(a) < writtenAt(b) ? -1 : 1));
  return {
    turns: messages.filter(({ versionOf }) => !versionOf),
    versions: Map.groupBy(earlier, ({ versionOf }) => versionOf ?? ''),
  };
}

/** The version that is shown, counted from 1, and how to show another one; a new version is shown when it comes. */
export function useShownVersion(answer: Message, earlier: readonly Message[]) {
  const newest = earlier.length + 1;
  const [chosen, setChosen] = useState({ number: newest, newest });
  const number = chosen.newest === newest ? chosen.number : newest;
  return {
    shown: earlier[number - 1] ?? answer,
    number,
    newest,
    show: (wanted: number) => setChosen({ number: wanted, newest }),
  };
}

export function VersionSteps({
  number,
  newest,
  show,
}: Pick<ReturnType<typeof useShownVersion>, 'number' | 'newest' | 'show'>) {
  const steps = [
    { label: 'Earlier version', icon: <ChevronLeft />, to: number - 1 },
    { label: 'Later version', icon: <ChevronRight />, to: number + 1 },
  ].map(({ label, icon, to }) => {
    const isEnd = to < 1 || to > newest;
    return (
      <PlainIconButton
        key={label}
        label={label}
        title={label}
        icon={icon}
        size="sm"
        aria-disabled={isEnd}
        onClick={() => {
          if (!isEnd) show(to);
        }}
      />
    );
  });
  return (
    <fieldset aria-label="Versions of this answer" className="flex items-center text-xs text-ink-muted">
      {steps[0]}
      <output className="tabular-nums">
        <span className="sr-only">Version </span>
        {number} of {newest}
      </output>
      {steps[1]}
    </fieldset>
  );
}

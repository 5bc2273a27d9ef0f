/**
 * The tags of the next save: those typed in its text, each with a button that returns it to the text, and those chosen in the
 * sheet. Chosen ones stay when the sheet is closed, as its text and files do.
 */
import { createStore } from '#client/shell/store.ts';
import { Tag } from '#client/ui/tag.tsx';

/** Tags chosen in the capture sheet, not saved yet. */
export const chosenTags = createStore<readonly string[]>([]);

/** Adds a tag to the chosen ones, or removes it. */
export function toggleTag(name: string): void {
  const chosen = chosenTags.get();
  chosenTags.set(chosen.includes(name) ? chosen.filter((tag) => tag !== name) : [...chosen, name]);
}

interface TagChipsProps {
  typed: readonly string[];
  chosen: readonly string[];
  /** Leaves a typed one in the text. */
  onKeep: (tag: string) => void;
}

/** Renders nothing without tags. */
export function TagChips({ typed, chosen, onKeep }: TagChipsProps) {
  const others = chosen.filter((tag) => !typed.includes(tag));
  if (typed.length + others.length === 0) return null;
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-1.5 px-3.5 pb-2">
      {typed.map((tag) => (
        <li key={tag} className="flex">
          <Tag name={tag} onRemove={() => onKeep(tag)} removeLabel={`Keep #${tag} in the text`} />
        </li>
      ))}
      {others.map((tag) => (
        <li key={tag} className="flex">
          <Tag name={tag} onRemove={() => toggleTag(tag)} />
        </li>
      ))}
    </ul>
  );
}

/**
 * Who can see a space or a thread, as an icon with a word: the small mark in lists and headings.
 * The words are those of the visibility table.
 */
import { Building2, Globe, Link2, Lock, Users, type LucideIcon } from 'lucide-react';
import { VISIBILITY, type Visibility } from '#shared/spaces/visibility.ts';

const ICONS: Readonly<Record<Visibility, LucideIcon>> = {
  private: Lock,
  private_and_guests: Lock,
  custom: Lock,
  workspace: Users,
  workspace_and_guests: Users,
  internal: Building2,
  unlisted: Link2,
  public: Globe,
};

/** `wordless` shows the word only to screen readers and as a tooltip. */
export function VisibilityMark({
  visibility,
  wordless = false,
}: {
  visibility: Visibility;
  wordless?: boolean;
}) {
  const Icon = ICONS[visibility];
  const { label, description } = VISIBILITY[visibility];
  return (
    <span className="inline-flex shrink-0 items-center gap-1" title={wordless ? label : description}>
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <span className={wordless ? 'sr-only' : ''}>{label}</span>
    </span>
  );
}

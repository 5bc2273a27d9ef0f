/**
 * A heading with rows of the palette, and the properties of every group.
 * Drawing only; which rows there are is each group's business.
 */
import { Command } from 'cmdk';
import type { ReactNode } from 'react';

export interface GroupProps {
  /** Typed text without the prefix of the mode. */
  text: string;
  /** Closes the palette, then does it. */
  done: (act: () => void) => void;
}

/** Rows under a heading; nothing without rows. */
export function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-faint"
    >
      {children}
    </Command.Group>
  );
}

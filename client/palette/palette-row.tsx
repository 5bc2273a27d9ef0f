/**
 * One line of the palette.
 * Drawing only; what it means to choose it is the group's business.
 */
import { Command } from 'cmdk';
import type { ReactNode } from 'react';
import { Kbd } from '#client/ui/kbd.tsx';

interface PaletteRowProps {
  value: string;
  icon: ReactNode;
  children: ReactNode;
  detail?: ReactNode;
  keys?: string | undefined;
  onSelect: () => void;
}

/** Highlighted by cmdk when it is the current one. */
export function PaletteRow({ value, icon, children, detail, keys, onSelect }: PaletteRowProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 py-1.5 data-[selected=true]:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-faint"
    >
      {icon}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{children}</span>
        {detail !== undefined && <span className="block truncate text-xs text-ink-muted">{detail}</span>}
      </span>
      {keys !== undefined && <Kbd keys={keys} />}
    </Command.Item>
  );
}

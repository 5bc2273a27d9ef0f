/** The bar of a list with selected rows: their number, actions for all of them, and a button that ends the selection. */
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { Button } from '#client/ui/button.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { LiveRegion } from '#client/ui/live-region.tsx';

interface SelectionBarProps {
  /** Name of the bar, for example "Selected memories". */
  label: string;
  count: number;
  total: number;
  onSelectAll: () => void;
  onClear: () => void;
  /** The action buttons. */
  children: ReactNode;
}

/** Stays mounted so that selecting is announced. */
export function SelectionBar({ label, count, total, onSelectAll, onClear, children }: SelectionBarProps) {
  return (
    <>
      <LiveRegion text={count === 0 ? '' : `${count} selected`} />
      {count > 0 && (
        <div
          role="toolbar"
          aria-label={label}
          data-surface
          className="fixed inset-x-0 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-30 mx-auto flex w-fit max-w-[calc(100vw-1.5rem)] items-center gap-1 rounded-card bg-raised p-1.5 shadow-float md:bottom-6"
        >
          <span className="px-2 text-sm font-medium whitespace-nowrap tabular-nums">{count} selected</span>
          {count < total && (
            <Button size="sm" variant="ghost" onClick={onSelectAll} className="max-sm:hidden">
              Select all {total}
            </Button>
          )}
          <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
          {children}
          <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
          <IconButton
            label="Clear the selection"
            keys={keysOf('list.clear')}
            icon={<X />}
            onClick={onClear}
          />
        </div>
      )}
    </>
  );
}

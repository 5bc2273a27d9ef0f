/**
 * Cards of any number in as many columns as fit: a grid when all are equally high, masonry when they are not.
 * Arrow keys move as the eye does: up and down within a column, left and right in reading order.
 */
import type { VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { VirtualItems, type VirtualItemsProps } from '#client/ui/virtual-items.tsx';

interface VirtualGridProps<T> extends VirtualItemsProps<T> {
  /** Narrowest column in pixels. */
  minColumn?: number;
  /** At most so many columns. */
  maxColumns?: number;
}

function inColumn(index: number, step: 1 | -1, measured: readonly VirtualItem[]): number | undefined {
  const lane = measured[index]?.lane;
  for (let other = index + step; other >= 0 && other < measured.length; other += step) {
    if (measured[other]?.lane === lane) return other;
  }
  return undefined;
}

function neighbour(index: number, key: string, measured: readonly VirtualItem[]): number | undefined {
  if (key === 'ArrowDown') return inColumn(index, 1, measured);
  if (key === 'ArrowUp') return inColumn(index, -1, measured);
  if (key === 'ArrowRight') return index + 1;
  if (key === 'ArrowLeft') return index - 1;
  return undefined;
}

/** How many columns of at least `min` pixels fit into the width. */
function columnsIn(width: number, min: number, gap: number, max: number): number {
  return Math.max(1, Math.min(max, Math.floor((width + gap) / (min + gap))));
}

/** Draws nothing until its width is known, which is before the first paint. */
export function VirtualGrid<T>({ minColumn = 240, maxColumns = 8, ...props }: VirtualGridProps<T>) {
  const frame = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState<number>();
  const gap = props.gap ?? 12;
  useEffect(() => {
    if (!frame.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setColumns(columnsIn(entry.contentRect.width, minColumn, gap, maxColumns));
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [minColumn, gap, maxColumns]);
  return (
    <div ref={frame} className="h-full">
      {columns !== undefined && <VirtualItems {...props} gap={gap} lanes={columns} neighbour={neighbour} />}
    </div>
  );
}

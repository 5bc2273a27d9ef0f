/**
 * The divider between two panes: dragged by pointer, moved by arrow keys; a double click leads to the usual width, and from
 * there to the widest and the narrowest, for people who cannot drag (WCAG 2.5.7). The caller stores the width that it reports.
 */
import { clsx } from 'clsx';
import { useRef, type KeyboardEvent, type PointerEvent } from 'react';

interface ResizeHandleProps {
  label: string;
  /** Width of the pane in pixels. */
  value: number;
  min: number;
  max: number;
  /** The width that a person has not changed. */
  initial: number;
  onResize: (width: number) => void;
  /** Which side of the divider the measured pane is on. */
  pane?: 'start' | 'end';
  className?: string;
}

const STEP = 16;

/** Put it on the edge of the pane, inside a positioned parent. */
export function ResizeHandle({
  label,
  value,
  min,
  max,
  initial,
  onResize,
  pane = 'start',
  className,
}: ResizeHandleProps) {
  const drag = useRef<{ x: number; width: number }>(undefined);
  const bounded = (width: number) => Math.round(Math.min(max, Math.max(min, width)));
  const direction = (element: Element) =>
    (pane === 'start' ? 1 : -1) * (getComputedStyle(element).direction === 'rtl' ? -1 : 1);
  const handleDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: value };
  };
  const handleMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!drag.current) return;
    onResize(bounded(drag.current.width + (event.clientX - drag.current.x) * direction(event.currentTarget)));
  };
  const handleDoubleClick = () => {
    const after = new Map([
      [initial, max],
      [max, min],
    ]);
    onResize(after.get(value) ?? initial);
  };
  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const towards = { ArrowRight: STEP, ArrowLeft: -STEP }[event.key];
    const width =
      towards !== undefined
        ? value + towards * direction(event.currentTarget)
        : { Home: min, End: max }[event.key];
    if (width === undefined) return;
    event.preventDefault();
    onResize(bounded(width));
  };
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- hr cannot be a focusable divider with a value
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={handleDown}
      onPointerMove={handleMove}
      onPointerUp={() => (drag.current = undefined)}
      onPointerCancel={() => (drag.current = undefined)}
      onDoubleClick={handleDoubleClick}
      onKeyDown={handleKey}
      className={clsx(
        'group absolute inset-y-0 z-10 w-3 cursor-col-resize touch-none outline-none',
        pane === 'start' ? '-end-1.5' : '-start-1.5',
        className,
      )}
    >
      <span className="absolute inset-y-0 start-1/2 w-px -translate-x-1/2 bg-transparent transition-colors duration-base group-hover:bg-line-strong group-focus-visible:w-0.5 group-focus-visible:bg-primary group-active:bg-primary" />
    </div>
  );
}

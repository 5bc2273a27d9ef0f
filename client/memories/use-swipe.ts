/**
 * A card that is thrown to either side with a finger. Vertical movement scrolls as always; every throw has a button with
 * the same action.
 */
import { useRef, useState, type PointerEvent } from 'react';

/** Pixels from which on letting go is a throw. */
const THROW = 96;
/** Movement below this is not yet a drag. */
const SLOP = 10;

interface Swipe {
  /** How far the card is from its place, in pixels; 0 at rest. */
  offset: number;
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onPointerCancel: () => void;
  };
}

/** `onThrow` receives the side to which the card was thrown. The element needs `touch-pan-y`. */
export function useSwipe(onThrow: (side: 'left' | 'right') => void): Swipe {
  const start = useRef<{ id: number; x: number }>(undefined);
  const [offset, setOffset] = useState(0);
  const end = () => {
    start.current = undefined;
    setOffset(0);
  };
  return {
    offset,
    handlers: {
      onPointerDown: (event) => {
        // A block of code or a wide table scrolls sideways itself.
        const scrolls =
          event.target instanceof Element && event.target.closest('pre, [data-scroll]') !== null;
        if (event.pointerType === 'mouse' || !event.isPrimary || scrolls) return;
        start.current = { id: event.pointerId, x: event.clientX };
      },
      onPointerMove: (event) => {
        if (start.current?.id !== event.pointerId) return;
        const moved = event.clientX - start.current.x;
        if (offset === 0 && Math.abs(moved) < SLOP) return;
        setOffset(moved);
      },
      onPointerUp: (event) => {
        if (start.current?.id !== event.pointerId) return;
        const moved = event.clientX - start.current.x;
        end();
        if (Math.abs(moved) >= THROW) onThrow(moved < 0 ? 'left' : 'right');
      },
      onPointerCancel: end,
    },
  };
}

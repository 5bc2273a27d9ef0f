/**
 * Which row of the palette is the current one: the first, until the selection is moved; then that row, as long as it is there.
 * Rows may arrive late and in any order, so the list itself is watched instead of its causes. Enter waits for a first row.
 */
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';

const MOVES = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);
/** Keys that cmdk moves with while control is held. */
const CONTROL_MOVES = new Set(['n', 'j', 'p', 'k']);

/** Props for cmdk's root and list; `begin` starts over at the top. */
export function useFirstSelected() {
  const [value, setValue] = useState('');
  const hasMoved = useRef(false);
  const hasEntered = useRef(false);
  const [list, setList] = useState<HTMLElement | null>(null);

  const choose = useCallback(() => {
    const items = [...(list?.querySelectorAll<HTMLElement>('[cmdk-item]') ?? [])];
    const values = items.map((item) => item.dataset['value'] ?? '');
    setValue((current) => (hasMoved.current && values.includes(current) ? current : (values[0] ?? '')));
    const [first] = items;
    if (!hasEntered.current || !first) return;
    hasEntered.current = false;
    first.click();
  }, [list]);

  useEffect(() => {
    if (!list) return undefined;
    choose();
    const observer = new MutationObserver(choose);
    observer.observe(list, { childList: true, subtree: true, attributeFilter: ['data-value'] });
    return () => observer.disconnect();
  }, [list, choose]);

  const onKeyDown = (event: KeyboardEvent) => {
    // The rows are rendered after the field and the search have changed: Enter opens the row that will be first.
    const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing;
    hasEntered.current = isEnter && list?.querySelector('[cmdk-item][aria-selected="true"]') === null;
    if (hasEntered.current) choose();
    if (MOVES.has(event.key) || (event.ctrlKey && CONTROL_MOVES.has(event.key))) hasMoved.current = true;
  };
  // Rows appearing under a resting pointer also make events, without any movement.
  const onPointerMove = (event: PointerEvent) => {
    if (event.movementX !== 0 || event.movementY !== 0) hasMoved.current = true;
  };
  return {
    root: {
      value,
      onKeyDownCapture: onKeyDown,
      onValueChange: (next: string) => {
        if (hasMoved.current) setValue(next);
      },
    },
    list: { ref: setList, onPointerMoveCapture: onPointerMove },
    begin: () => {
      hasMoved.current = false;
      hasEntered.current = false;
      choose();
    },
  };
}

/**
 * The width and the collapsed state of a pane, remembered in this browser.
 * For sidebars and split views; drawing is theirs.
 */
import { useCallback, useState } from 'react';

interface PaneState {
  width: number;
  collapsed: boolean;
}

function readPane(key: string, fallback: number): PaneState {
  try {
    const [width, collapsed] = (localStorage.getItem(key) ?? '').split(' ');
    const known = Number(width);
    return { width: known > 0 ? known : fallback, collapsed: collapsed === 'collapsed' };
  } catch {
    // Blocked storage: the pane has its usual width.
    return { width: fallback, collapsed: false };
  }
}

function writePane(key: string, pane: PaneState): void {
  try {
    localStorage.setItem(key, `${pane.width} ${pane.collapsed ? 'collapsed' : 'open'}`);
  } catch {
    // Blocked storage: the width lives as long as the page.
    return;
  }
}

/** `key` names the pane in local storage; `initial` is its width in pixels until someone drags it. */
export function usePaneWidth(key: string, initial: number) {
  const [pane, setPane] = useState(() => readPane(key, initial));
  const change = useCallback(
    (next: Partial<PaneState>) =>
      setPane((was) => {
        const now = { ...was, ...next };
        writePane(key, now);
        return now;
      }),
    [key],
  );
  return {
    ...pane,
    resize: (width: number) => change({ width }),
    reset: () => change({ width: initial }),
    toggle: () => change({ collapsed: !pane.collapsed }),
  };
}

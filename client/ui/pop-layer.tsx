/**
 * The container of menus, hints and popovers: at the end of the landmark or of the dialog that they belong to, so that they are
 * part of it for assistive technology, and part of what a dialog leaves reachable.
 */
import { createContext, use, useCallback, useState, type ReactNode } from 'react';

const PopLayerContext = createContext<HTMLElement | undefined>(undefined);

/** Around everything that opens menus; the layer itself is placed by PopLayerEnd. */
export function PopLayer({ children }: { children: ReactNode }) {
  // Created before it is attached, so that content which opens first already has it and nothing is rendered twice.
  const [layer] = useState(() => document.createElement('div'));
  return <PopLayerContext value={layer}>{children}</PopLayerContext>;
}

/** The layer's place, once in each PopLayer: the last child of a landmark or dialog, outside of what scrolls or clips. */
export function PopLayerEnd() {
  const layer = use(PopLayerContext);
  // The same function at every drawing: moved again, an open menu would lose its focus.
  const attach = useCallback((place: HTMLElement | null) => layer && place?.append(layer), [layer]);
  return <div ref={attach} className="contents" />;
}

/** For the `container` of a Radix portal; undefined, which is the page's body, outside of every layer. */
export function usePopLayer(): HTMLElement | undefined {
  return use(PopLayerContext);
}

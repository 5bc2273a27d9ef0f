/** The keys of the product inside one of our frames, whose events do not reach the page around it. */
import { useEffect } from 'react';

/** Dispatches each key on the frame's element, as if pressed there; handling it prevents the default inside the frame. */
export function useFrameKeys(root: HTMLElement | undefined): void {
  useEffect(() => {
    const view = root?.ownerDocument.defaultView;
    const frame = view?.frameElement;
    if (!view || !frame) return undefined;
    const handleKey = (event: KeyboardEvent) => {
      // These belong to the control of the page that has the focus.
      const isControl = (event.target as Element).closest('a, summary') !== null;
      if (isControl && (event.key === 'Enter' || event.key === ' ')) return;
      const { key, code, altKey, ctrlKey, metaKey, shiftKey, repeat, isComposing } = event;
      const modifiers = { altKey, ctrlKey, metaKey, shiftKey };
      const init = { ...modifiers, key, code, repeat, isComposing, bubbles: true, cancelable: true };
      if (!frame.dispatchEvent(new KeyboardEvent('keydown', init))) event.preventDefault();
    };
    view.addEventListener('keydown', handleKey);
    return () => view.removeEventListener('keydown', handleKey);
  }, [root]);
}

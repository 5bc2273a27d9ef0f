/**
 * Escape for overlays inside the editor. A dialog around the field marks the key as handled in the capture phase, and
 * CodeMirror passes over handled keys, so its own handlers would never see it there.
 */
import type { Extension } from '@codemirror/state';
import { ViewPlugin, type EditorView } from '@codemirror/view';

/** Calls `leave` for each Escape; when it returns true, the key is not propagated, so a dialog around the field stays open. */
export function escapeKey(leave: (view: EditorView) => boolean): Extension {
  return ViewPlugin.define((view) => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || !leave(view)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    view.contentDOM.addEventListener('keydown', listen, { capture: true });
    return { destroy: () => view.contentDOM.removeEventListener('keydown', listen, { capture: true }) };
  });
}

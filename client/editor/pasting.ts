/** Paste and drop in the editor: an address pasted over a selection becomes a link; files are passed to a handler. */
import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Stores files and returns the Markdown that shows them; empty when none was stored. */
export type TakeFiles = (files: readonly File[]) => Promise<string>;

/** The text as the address of a link; undefined when it is anything else. */
function addressIn(text: string): string | undefined {
  const address = text.trim();
  if (!/^(?:https?:\/\/|mailto:)\S+$/i.test(address) || !URL.canParse(address)) return undefined;
  return /[()<>]/.test(address) ? `<${address.replaceAll(/[<>]/g, encodeURIComponent)}>` : address;
}

/** Code and addresses are no places for links. */
const NO_LINKS = new Set(['FencedCode', 'CodeBlock', 'InlineCode', 'URL', 'Link', 'Image', 'HTMLBlock']);

function mayHoldLink(state: EditorState, from: number, to: number): boolean {
  if (/[[\]\n]/.test(state.sliceDoc(from, to))) return false;
  let isPlain = true;
  syntaxTree(state).iterate({
    from,
    to,
    enter: ({ name }) => {
      if (NO_LINKS.has(name)) isPlain = false;
      return isPlain;
    },
  });
  return isPlain;
}

function pasteAddress(view: EditorView, text: string): boolean {
  const { from, to, empty } = view.state.selection.main;
  const address = addressIn(text);
  if (empty || address === undefined || !mayHoldLink(view.state, from, to)) return false;
  view.dispatch({
    changes: [
      { from, insert: '[' },
      { from: to, insert: `](${address})` },
    ],
    selection: { anchor: to + address.length + 4 },
    userEvent: 'input.paste',
    scrollIntoView: true,
  });
  return true;
}

/** At the cursor, which may have moved meanwhile, on lines of their own. */
function insertBlock(view: EditorView, text: string): void {
  const { state } = view;
  const { from, to } = state.selection.main;
  const before = from > state.doc.lineAt(from).from ? '\n' : '';
  const after = to < state.doc.lineAt(to).to ? '\n' : '';
  const insert = `${before}${text}${after}`;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + before.length + text.length },
    userEvent: 'input.paste',
    scrollIntoView: true,
  });
}

export interface PastingOptions {
  takeFiles: TakeFiles;
  /** The files of a paste that are meant as such. */
  filesOf: (data: DataTransfer) => readonly File[];
  onFailure: (failure: unknown) => void;
}

/** Stores files and inserts their Markdown where the cursor is afterwards. */
export function insertFiles(
  view: EditorView,
  files: readonly File[],
  { takeFiles, onFailure }: Pick<PastingOptions, 'takeFiles' | 'onFailure'>,
): void {
  view.focus();
  takeFiles(files)
    .then((text) => text !== '' && insertBlock(view, text))
    .catch(onFailure);
}

/** Handlers for pasted and dropped content. */
export function pasting(options: PastingOptions): Extension {
  return EditorView.domEventHandlers({
    paste(event, view) {
      const data = event.clipboardData;
      if (data === null) return false;
      const files = options.filesOf(data);
      if (files.length > 0) {
        event.preventDefault();
        insertFiles(view, files, options);
        return true;
      }
      if (!pasteAddress(view, data.getData('text/plain'))) return false;
      event.preventDefault();
      return true;
    },
    drop(event, view) {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return false;
      event.preventDefault();
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (at !== null) view.dispatch({ selection: { anchor: at } });
      insertFiles(view, files, options);
      return true;
    },
  });
}

/**
 * The Markdown editor: CodeMirror with live styling, limited to what a field needs. Loaded when a text is first edited;
 * markdown-field.tsx shows a plain field until then.
 */
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { deleteMarkupBackward, insertNewlineContinueMarkup } from '@codemirror/lang-markdown';
import { syntaxTree } from '@codemirror/language';
import { Annotation, EditorSelection, type ChangeSpec, type Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { addressOf } from '#shared/hash.ts';
import { listKeys } from '#client/editor/list-indent.ts';
import { liveStyles } from '#client/editor/live-styles.ts';
import { insertLink, toggleBold, toggleItalic, toggleTasks } from '#client/editor/mark-commands.ts';
import { noteLanguage } from '#client/editor/note-language.ts';
import { insertFiles, pasting, type PastingOptions } from '#client/editor/pasting.ts';
import { titleCompletion, type FindTitles } from '#client/editor/title-completion.ts';
import { stateWithSteps, stepsOf } from '#client/editor/undo-steps.ts';

/** Number of undo steps stored for one text. */
const STEPS = 200;

/** The state of a plain field that the editor continues with. */
export interface FieldState {
  text: string;
  selectionStart: number;
  selectionEnd: number;
  isFocused: boolean;
}

/** Serialized undo history, and the hash of the text it applies to. */
export interface StoredSteps {
  hash: string;
  steps: string;
}

export interface TextEditorOptions extends PastingOptions {
  parent: HTMLElement;
  /** The text before anything was typed into the plain field. */
  given: string;
  field: FieldState;
  stored: StoredSteps | undefined;
  attributes: Readonly<Record<string, string>>;
  placeholder: string;
  findTitles: FindTitles;
  onChange: (text: string) => void;
  onBlur: () => void;
}

export interface TextEditor {
  /** Shows a text that was changed elsewhere; what could be undone in the old one is forgotten. */
  show: (text: string) => void;
  /** Current undo history; undefined when it is empty. */
  steps: () => StoredSteps | undefined;
  /** Puts files into the text where the cursor is. */
  take: (files: readonly File[]) => void;
  close: () => void;
}

const isFromElsewhere = Annotation.define<boolean>();

/** The one stretch in which two texts differ. */
function differenceOf(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let same = 0;
  while (
    same < most - from &&
    before.charCodeAt(before.length - same - 1) === after.charCodeAt(after.length - same - 1)
  )
    same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

/** A press on the box of a task ticks it; the cursor stays where it was. */
const taskBoxes = EditorView.domEventHandlers({
  mousedown(event, view) {
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
    if (event.button !== 0 || at === null) return false;
    const node = [
      syntaxTree(view.state).resolveInner(at, 1),
      syntaxTree(view.state).resolveInner(at, -1),
    ].find(({ name }) => name === 'TaskMarker');
    const start = node && view.coordsAtPos(node.from);
    const end = node && view.coordsAtPos(node.to);
    if (!node || !start || !end || event.clientX < start.left || event.clientX > end.right) return false;
    const isDone = view.state.sliceDoc(node.from, node.to) !== '[ ]';
    const changes: ChangeSpec = { from: node.from + 1, to: node.from + 2, insert: isDone ? ' ' : 'x' };
    view.dispatch({ changes, userEvent: 'input' });
    return true;
  },
});

const KEYS = [
  { key: 'Mod-b', run: toggleBold, preventDefault: true },
  { key: 'Mod-i', run: toggleItalic, preventDefault: true },
  { key: 'Mod-k', run: insertLink, preventDefault: true },
  { key: 'Mod-Enter', run: toggleTasks, preventDefault: true },
  { key: 'Enter', run: insertNewlineContinueMarkup },
  { key: 'Backspace', run: deleteMarkupBackward },
];

/** Everything but what changes from one text to the next. */
function extensionsOf(options: TextEditorOptions): Extension {
  const { onChange, onBlur } = options;
  return [
    history({ minDepth: STEPS }),
    titleCompletion(options.findTitles),
    listKeys(),
    pasting(options),
    keymap.of([...KEYS, ...historyKeymap, ...standardKeymap]),
    noteLanguage,
    liveStyles,
    taskBoxes,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      spellcheck: 'true',
      autocorrect: 'on',
      autocapitalize: 'sentences',
      ...options.attributes,
    }),
    placeholder(options.placeholder),
    EditorView.domEventHandlers({ blur: () => onBlur() }),
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (docChanged && !transactions.some((each) => each.annotation(isFromElsewhere)))
        onChange(state.doc.toString());
    }),
  ];
}

/** Replaces a plain field, with its text, its selection and its focus. */
export function openTextEditor(options: TextEditorOptions): TextEditor {
  const { parent, given, field, stored } = options;
  // Windows line ends are one character for the editor, and would shift every position behind them.
  const lines = (text: string) => text.replaceAll(/\r\n?/g, '\n');
  const config = { extensions: extensionsOf(options) };
  const steps =
    stored !== undefined && addressOf(lines(given)).hash === stored.hash ? stored.steps : undefined;
  const view = new EditorView({ parent, state: stateWithSteps(lines(given), steps, config) });
  const text = lines(field.text);
  if (text !== view.state.doc.toString()) {
    const annotations = isFromElsewhere.of(true);
    view.dispatch({ changes: differenceOf(view.state.doc.toString(), text), annotations });
  }
  const within = (at: number) => Math.min(at, text.length);
  view.dispatch({
    selection: { anchor: within(field.selectionStart), head: within(field.selectionEnd) },
  });
  if (field.isFocused) view.focus();
  return {
    show(next) {
      const shown = view.state.doc.toString();
      const wanted = lines(next);
      if (wanted === shown) return;
      const changes = view.state.changes(differenceOf(shown, wanted));
      const { anchor, head } = view.state.selection.main;
      const selection = EditorSelection.single(changes.mapPos(anchor), changes.mapPos(head));
      view.setState(stateWithSteps(wanted, undefined, { ...config, selection }));
    },
    steps() {
      const now = stepsOf(view.state);
      return now === undefined ? undefined : { hash: addressOf(view.state.doc.toString()).hash, steps: now };
    },
    take: (files) => insertFiles(view, files, options),
    close: () => view.destroy(),
  };
}

/**
 * Tab in lists. An item is indented under the item above it, or outdented; where that is impossible, and outside of lists, Tab
 * leaves the field as everywhere. Escape before Tab leaves it from a list too (WCAG 2.1.2).
 */
import { syntaxTree } from '@codemirror/language';
import { Prec, type ChangeSpec, type EditorState, type Extension, type Line } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { escapeKey } from '#client/editor/escape-key.ts';

const ITEM = /^(\s*)((?:[-*+]|\d{1,9}[.)])\s+)/;
/** How far above its item a parent is looked for, in lines. */
const REACH = 500;

interface Item {
  indent: number;
  /** Where the text of the item begins, and so where items inside it begin. */
  content: number;
}

function itemOf({ text }: Line): Item | undefined {
  const [, space, marker] = ITEM.exec(text) ?? [];
  if (space === undefined || marker === undefined) return undefined;
  return { indent: space.length, content: space.length + marker.length };
}

function isInCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, 1); node.parent !== null; node = node.parent)
    if (node.name === 'FencedCode' || node.name === 'CodeBlock') return true;
  return false;
}

/** The nearest item above that fits; ends where the list does. */
function itemAbove(state: EditorState, line: Line, fits: (item: Item) => boolean): Item | undefined {
  for (let number = line.number - 1; number >= Math.max(1, line.number - REACH); number -= 1) {
    const above = state.doc.line(number);
    const item = itemOf(above);
    if (item && fits(item)) return item;
    if (item === undefined && above.text !== '' && !/^\s/.test(above.text)) return undefined;
  }
  return undefined;
}

function itemsOf(state: EditorState): { line: Line; item: Item }[] {
  const { from, to } = state.selection.main;
  const items: { line: Line; item: Item }[] = [];
  for (let line = state.doc.lineAt(from); ; line = state.doc.lineAt(line.to + 1)) {
    const item = itemOf(line);
    if (item) items.push({ line, item });
    if (line.to >= to || line.to >= state.doc.length) return items;
  }
}

/** Whether the cursor is in a list, so that Tab has a meaning of its own. */
function isInList(state: EditorState): boolean {
  return itemsOf(state).length > 0 && !isInCode(state, state.selection.main.head);
}

/** By how many columns the first item moves; the others move with it. */
function stepOf(state: EditorState, side: 'in' | 'out'): number {
  const [first] = itemsOf(state);
  if (first === undefined) return 0;
  const { line, item } = first;
  if (side === 'in') {
    const above = itemAbove(state, line, ({ indent }) => indent <= item.indent);
    return above !== undefined && above.content > item.indent ? above.content - item.indent : 0;
  }
  const parent = itemAbove(state, line, ({ indent }) => indent < item.indent);
  return (parent?.indent ?? 0) - item.indent;
}

function moveItems(view: EditorView, side: 'in' | 'out'): boolean {
  const { state } = view;
  if (!isInList(state)) return false;
  const step = stepOf(state, side);
  if (step === 0) return false;
  const changes = itemsOf(state).map(({ line, item }): ChangeSpec => {
    if (step > 0) return { from: line.from, insert: ' '.repeat(step) };
    return { from: line.from, to: line.from + Math.min(-step, item.indent) };
  });
  view.dispatch({ changes, userEvent: side === 'in' ? 'input.indent' : 'delete.dedent' });
  return true;
}

export function listKeys(): Extension {
  let isLeaving = false;
  return [
    // The first Escape is not for the dialog around the field: the next one closes it.
    escapeKey((view) => {
      if (isLeaving || !isInList(view.state)) return false;
      isLeaving = true;
      return true;
    }),
    Prec.highest(
      EditorView.domEventHandlers({
        keydown(event) {
          const isModifier = event.key === 'Shift';
          if (event.key !== 'Tab' && !isModifier) isLeaving = false;
          return false;
        },
        blur() {
          isLeaving = false;
        },
      }),
    ),
    keymap.of([
      {
        key: 'Tab',
        run: (view) => !isLeaving && moveItems(view, 'in'),
        shift: (view) => !isLeaving && moveItems(view, 'out'),
      },
    ]),
  ];
}

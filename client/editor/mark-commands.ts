/** Bold, italic, links and tasks by keyboard: each is added around the selection or removed. */
import { EditorSelection, type EditorState, type StateCommand } from '@codemirror/state';

const MARK = '*';

/** Number of marks directly before a position and after another. */
function marksAround(state: EditorState, from: number, to: number): number {
  let count = 0;
  while (
    count < 3 &&
    state.sliceDoc(from - count - 1, from - count) === MARK &&
    state.sliceDoc(to + count, to + count + 1) === MARK
  )
    count += 1;
  return count;
}

/** Two marks are bold, one is italic, three are both. */
function toggleMarks(width: 1 | 2): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const marks = MARK.repeat(width);
    const change = state.changeByRange(({ from, to }) => {
      const around = marksAround(state, from, to);
      const isOn = around === 3 || around === width;
      if (isOn) {
        return {
          changes: [
            { from: from - width, to: from },
            { from: to, to: to + width },
          ],
          range: EditorSelection.range(from - width, to - width),
        };
      }
      return {
        changes: [
          { from, insert: marks },
          { from: to, insert: marks },
        ],
        range: EditorSelection.range(from + width, to + width),
      };
    });
    dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }));
    return true;
  };
}

export const toggleBold = toggleMarks(2);
export const toggleItalic = toggleMarks(1);

/** Makes the selection the text of a link and puts the cursor where its address belongs. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const change = state.changeByRange(({ from, to }) => ({
    changes: [
      { from, insert: '[' },
      { from: to, insert: ']()' },
    ],
    range: EditorSelection.cursor(from === to ? from + 1 : to + 3),
  }));
  dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }));
  return true;
};

const ITEM = /^(?<lead>\s*(?:>\s?)*(?:[-*+]|\d{1,9}[.)])\s+)(?<box>\[[ xX]\])?/;

/** Ticks or unticks the tasks of the selected lines; items without a box get one, other lines become tasks. */
export const toggleTasks: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const changes = state.selection.ranges.flatMap(({ from, to }) => {
    const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number];
    return Array.from({ length: last - first + 1 }, (_, index) => {
      const line = state.doc.line(first + index);
      const { lead, box } = ITEM.exec(line.text)?.groups ?? {};
      if (lead === undefined) {
        const indent = line.from + (/^\s*/.exec(line.text)?.[0].length ?? 0);
        return { from: indent, insert: '- [ ] ' };
      }
      const at = line.from + lead.length;
      if (box === undefined) return { from: at, insert: '[ ] ' };
      return { from: at + 1, to: at + 2, insert: box === '[ ]' ? 'x' : ' ' };
    });
  });
  dispatch(state.update({ changes, userEvent: 'input' }));
  return true;
};

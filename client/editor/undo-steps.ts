/** Serializes the undo history of a text to JSON of limited size, and restores it. */
import { historyField } from '@codemirror/commands';
import { EditorSelection, EditorState, type EditorStateConfig } from '@codemirror/state';
import { isObject } from '#shared/is-object.ts';

/** Characters of JSON that are stored for one text; the oldest steps are left out first. */
const MOST = 200_000;

/** The newest steps that fit; the last in the list is the newest. */
function newestOf(steps: unknown, room: number): unknown[] {
  if (!Array.isArray(steps)) return [];
  let left = room;
  let first = steps.length;
  while (first > 0) {
    left -= JSON.stringify(steps[first - 1]).length + 1;
    if (left < 0) break;
    first -= 1;
  }
  return steps.slice(first);
}

/** The steps of a state; undefined when there are none. */
export function stepsOf(state: EditorState): string | undefined {
  const whole: unknown = state.toJSON({ history: historyField });
  const history = isObject(whole) ? whole['history'] : undefined;
  if (!isObject(history)) return undefined;
  const done = newestOf(history['done'], MOST);
  const undone = newestOf(history['undone'], MOST - JSON.stringify(done).length);
  return done.length + undone.length === 0 ? undefined : JSON.stringify({ done, undone });
}

/** A state of this text with these steps; without them when they cannot be read. */
export function stateWithSteps(
  text: string,
  steps: string | undefined,
  config: EditorStateConfig,
): EditorState {
  const plain = { ...config, doc: text };
  if (steps === undefined) return EditorState.create(plain);
  try {
    const selection: unknown = EditorSelection.single(0).toJSON();
    const state = { doc: text, selection, history: JSON.parse(steps) };
    return EditorState.fromJSON(state, config, { history: historyField });
  } catch (failure) {
    console.info('editor: the stored undo history could not be read', failure);
    return EditorState.create(plain);
  }
}

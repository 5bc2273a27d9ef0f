/** `[[` offers titles: the chosen one is written as a reference, which the reading view shows as a link. */
import {
  autocompletion,
  closeCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { escapeKey } from '#client/editor/escape-key.ts';

export type FindTitles = (typed: string) => readonly string[];

const BEGUN = /\[\[([^[\]|\n]{0,200})$/;

function write(view: EditorView, title: string, from: number, to: number): void {
  const isClosed = view.state.sliceDoc(to, to + 2) === ']]';
  const insert = `${title}]]`;
  view.dispatch({
    changes: { from, to: isClosed ? to + 2 : to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}

function complete(find: FindTitles, context: CompletionContext): CompletionResult | null {
  const begun = context.matchBefore(BEGUN);
  if (begun === null) return null;
  const { name } = syntaxTree(context.state).resolveInner(context.pos, -1);
  if (name === 'InlineCode' || name === 'CodeText') return null;
  const titles = find(begun.text.slice(2));
  const options = titles.map((title): Completion => ({
    label: title,
    apply: (view, _completion, from, to) => write(view, title, from, to),
  }));
  return { from: begun.from + 2, options, filter: false };
}

/** The list of titles with its keys. */
export function titleCompletion(find: FindTitles): Extension {
  return [
    autocompletion({
      override: [(context) => complete(find, context)],
      icons: false,
      activateOnTypingDelay: 0,
      interactionDelay: 0,
    }),
    // The list and not the dialog around the field.
    escapeKey(closeCompletion),
  ];
}

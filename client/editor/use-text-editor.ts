/**
 * Puts the editor in the place of a plain field once its code is there. Until then, and for as long as a word is being
 * composed by an input method, the plain field stays.
 */
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { loadTextEditor } from '#client/editor/lazy-text-editor.ts';
import type { TextEditor, TextEditorOptions } from '#client/editor/text-editor.ts';
import { findUndoHistory, saveUndoHistory } from '#client/shell/undo-histories.ts';
import { keepLoading } from '#client/ui/lazy-part.tsx';

/** Longest time between a change and the moment in which its undo step is stored, in milliseconds. */
const STORE_MS = 1_000;

export interface EditedText extends Omit<TextEditorOptions, 'parent' | 'given' | 'field' | 'stored'> {
  value: string;
  /** Key of the draft, under which the undo history is stored as well. */
  draftKey: string;
}

type Code = Awaited<ReturnType<typeof loadTextEditor>>;

/** Calls `run` once no word is being composed in the field. Returns a function that cancels it. */
function afterComposition(field: HTMLElement, isComposing: () => boolean, run: () => void): () => void {
  if (!isComposing()) {
    run();
    return () => undefined;
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Some browsers report the last input after the end.
  const later = () => (timer = setTimeout(() => !isComposing() && end() === undefined && run()));
  const end = () => {
    clearTimeout(timer);
    field.removeEventListener('compositionend', later);
  };
  field.addEventListener('compositionend', later);
  return end;
}

/** Undefined while the plain field is shown. */
export function useTextEditor(
  edited: EditedText,
  plain: RefObject<HTMLTextAreaElement | null>,
  place: RefObject<HTMLElement | null>,
): { editor: TextEditor | undefined; change: (text: string) => void; leave: () => void } {
  const { value, draftKey } = edited;
  const [editor, setEditor] = useState<TextEditor>();
  const latest = useRef(edited);
  /** Last typed value; undefined once another text is shown. */
  const typed = useRef<string>(undefined);
  const given = useRef(value);
  /** The focus moves from the plain field to the editor; the field is not left. */
  const isHandingOver = useRef(false);
  useLayoutEffect(() => {
    latest.current = edited;
  });
  useLayoutEffect(() => {
    if (value === typed.current) return;
    typed.current = undefined;
    given.current = value;
    editor?.show(value);
  }, [value, editor]);

  const [change] = useState(() => (text: string) => {
    typed.current = text;
    latest.current.onChange(text);
  });

  const [leave] = useState(() => () => {
    if (!isHandingOver.current) latest.current.onBlur();
  });

  useEffect(() => {
    const field = plain.current;
    const parent = place.current;
    if (field === null || parent === null) return undefined;
    let opened: TextEditor | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let giveUp = () => {};
    let isComposing = false;
    const listening = new AbortController();
    const { signal } = listening;
    field.addEventListener('compositionstart', () => (isComposing = true), { signal });
    field.addEventListener('compositionend', () => (isComposing = false), { signal });
    // A browser leaves the page for a file that is dropped on a plain field.
    const early: File[] = [];
    const keepFiles = (event: Event, files: readonly File[]) => {
      if (files.length === 0) return;
      event.preventDefault();
      early.push(...files);
    };
    field.addEventListener('drop', (event) => keepFiles(event, [...(event.dataTransfer?.files ?? [])]), {
      signal,
    });
    field.addEventListener(
      'paste',
      (event) => keepFiles(event, event.clipboardData ? latest.current.filesOf(event.clipboardData) : []),
      { signal },
    );

    const store = () => {
      clearTimeout(timer);
      timer = undefined;
      const steps = opened?.steps();
      if (steps) void saveUndoHistory({ key: draftKey, ...steps });
    };
    const storeNow = () => timer !== undefined && store();
    document.addEventListener('visibilitychange', storeNow, { signal });

    const open = ({ openTextEditor }: Code, stored: TextEditorOptions['stored']) => {
      const { attributes, placeholder } = latest.current;
      isHandingOver.current = true;
      opened = openTextEditor({
        parent,
        given: given.current,
        field: {
          text: field.value,
          selectionStart: field.selectionStart,
          selectionEnd: field.selectionEnd,
          isFocused: document.activeElement === field,
        },
        stored,
        attributes,
        placeholder,
        findTitles: (text) => latest.current.findTitles(text),
        takeFiles: (files) => latest.current.takeFiles(files),
        filesOf: (data) => latest.current.filesOf(data),
        onFailure: (failure) => latest.current.onFailure(failure),
        onBlur: leave,
        onChange: (text) => {
          timer ??= setTimeout(store, STORE_MS);
          change(text);
        },
      });
      // In the same task as the change of focus: a key between two tasks would find no field.
      flushSync(() => setEditor(opened));
      isHandingOver.current = false;
      if (early.length > 0) opened.take(early);
    };
    const stopLoading = keepLoading(
      'formatting while you write',
      async () => ({ code: await loadTextEditor(), stored: await findUndoHistory(draftKey) }),
      ({ code, stored }) => {
        giveUp = afterComposition(
          field,
          () => isComposing,
          () => open(code, stored),
        );
      },
    );
    return () => {
      stopLoading();
      giveUp();
      listening.abort();
      storeNow();
      opened?.close();
      setEditor(undefined);
    };
  }, [draftKey, plain, place, change, leave]);
  return { editor, change, leave };
}

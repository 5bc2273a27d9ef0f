/**
 * The text of a capture field: kept as a draft of this person and workspace from the first key until it is saved.
 * A reload, a crash or a closed sheet loses nothing.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { dropDraft, findDraft, keepDraft } from '#client/shell/drafts.ts';

const DRAFT_MS = 150;

/** Text with its setter; `clear` also forgets the draft. A given text has a draft of its own and harms no other. */
export function useCaptureDraft(plainKey: string, given: string | undefined) {
  const givenKey = `${plainKey}/given`;
  const isGiven = given !== undefined && given !== '';
  const [key, setKey] = useState(isGiven ? givenKey : plainKey);
  const [text, setText] = useState(given ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const touched = useRef(given !== undefined);
  useEffect(() => {
    let isCurrent = true;
    if (given === undefined) {
      void findDraft(plainKey)
        .then((draft) => draft ?? findDraft(givenKey))
        .then((draft) => {
          if (!draft || !isCurrent || touched.current) return;
          setText(draft.text);
          setKey(draft.key);
        });
    }
    return () => {
      isCurrent = false;
    };
  }, [plainKey, givenKey, given]);
  const change = useCallback(
    (next: string) => {
      touched.current = true;
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void keepDraft(key, next), DRAFT_MS);
    },
    [key],
  );
  const clear = useCallback(() => {
    clearTimeout(timer.current);
    setText('');
    void dropDraft(key);
  }, [key]);
  return { text, change, clear };
}

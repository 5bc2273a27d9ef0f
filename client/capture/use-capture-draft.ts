/**
 * The text of a capture field: kept as a draft of this person and workspace from the first key until it is saved.
 * A reload, a crash or a closed sheet loses nothing.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { givenDraft } from '#client/capture/capture-draft-key.ts';
import { dropDraft, findDraft, keepDraft } from '#client/shell/drafts.ts';

/** Text with its setter; `clear` also forgets the draft. A given text has a draft of its own and harms no other. */
export function useCaptureDraft(plainKey: string, given: string | undefined) {
  const givenKey = givenDraft(plainKey);
  const isGiven = given !== undefined && given !== '';
  const [key, setKey] = useState(isGiven ? givenKey : plainKey);
  const [text, setText] = useState(given ?? '');
  const touched = useRef(given !== undefined);
  const base = useRef<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    if (given) void keepDraft(givenKey, given);
    if (given === undefined) {
      void findDraft(plainKey)
        .then((draft) => draft ?? findDraft(givenKey))
        .then((draft) => {
          if (!draft || !isCurrent || touched.current) return;
          setText(draft.text);
          setKey(draft.key);
          base.current = draft.base;
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
      void keepDraft(key, next, base.current);
    },
    [key],
  );
  const newest = useRef(text);
  useEffect(() => {
    newest.current = text;
  }, [text]);
  /** Empties the field after a save, unless somebody has typed on meanwhile. */
  const clear = useCallback(
    (saved: string) => {
      if (newest.current !== saved) return;
      setText('');
      base.current = null;
      void dropDraft(key);
    },
    [key],
  );
  return { text, change, clear };
}

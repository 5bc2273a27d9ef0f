/**
 * The text of a capture field, stored as a draft of this person and workspace from the first key until it is saved, so that a
 * reload, a crash or a closed sheet loses no text.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { givenDraft } from '#client/capture/capture-draft-key.ts';
import { findDraft, saveDraft } from '#client/shell/drafts.ts';
import { useOutgoingText } from '#client/shell/outgoing-text.ts';

/** Text with its setter; `sendOff` clears the field, and the draft once the text is saved. A `given` text has its own draft. */
export function useCaptureDraft(plainKey: string, given: string | undefined) {
  const givenKey = givenDraft(plainKey);
  const isGiven = given !== undefined && given !== '';
  const [key, setKey] = useState(isGiven ? givenKey : plainKey);
  const [text, setText] = useState(given ?? '');
  const touched = useRef(given !== undefined);
  const base = useRef<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    if (given) void saveDraft(givenKey, given);
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
      void saveDraft(key, next, base.current);
    },
    [key],
  );
  const keep = useCallback(
    (kept: string) => {
      if (kept === '') base.current = null;
      void saveDraft(key, kept, base.current);
    },
    [key],
  );
  const sendOff = useOutgoingText({ text, show: setText, keep });
  return { text, change, sendOff };
}

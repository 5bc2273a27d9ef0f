/**
 * A field whose text is being saved. The field is cleared at once, so that the next text can be typed and sent
 * meanwhile; the draft of the first one stays until it is saved.
 */
import { useCallback, useEffect, useRef } from 'react';

interface Outgoing {
  text: string;
  show: (text: string) => void;
  /** Stores a text as the draft of this field; an empty one deletes it. */
  keep: (text: string) => void;
}

/**
 * Clears the field and saves its text. A text that could not be saved is put back before newly typed text. `save` resolves to
 * whether the text is stored; the result resolves to whether the field is left empty.
 */
export function useOutgoingText({ text, show, keep }: Outgoing) {
  const shown = useRef(text);
  useEffect(() => {
    shown.current = text;
  }, [text]);
  return useCallback(
    async (save: () => Promise<boolean>): Promise<boolean> => {
      show('');
      const isSaved = await save();
      const typed = shown.current;
      if (isSaved && typed === '') keep('');
      if (isSaved) return typed === '';
      const both = typed === '' ? text : `${text}\n\n${typed}`;
      show(both);
      keep(both);
      return false;
    },
    [text, show, keep],
  );
}

/**
 * Stores the fields of a form as a draft from the first key until it is saved or discarded, so that a reload, a crash
 * or a closed dialog loses nothing. The form names its draft; this hook stores, restores and deletes it.
 */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { dropDraft, findDraft, saveDraft } from '#client/shell/drafts.ts';

/** The fields that differ from what is stored, as the text of a draft; undefined while none does. */
export function changedFields(now: object, stored: object): string | undefined {
  const changed = Object.entries(now).filter(([field, value]) => Reflect.get(stored, field) !== value);
  return changed.length === 0 ? undefined : JSON.stringify(Object.fromEntries(changed));
}

/** The fields of a draft that are text; a draft of another version of the form may hold anything. */
function textFields(draft: string): Record<string, string> {
  try {
    const fields: unknown = JSON.parse(draft);
    if (typeof fields !== 'object' || fields === null) return {};
    return Object.fromEntries(
      Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch (failure) {
    console.info('drafts: the draft of a form could not be read', failure);
    return {};
  }
}

/**
 * `typed` comes from changedFields, `take` puts a found draft into the form. Returns whether that happened, and a function that
 * deletes the draft once it is saved or discarded. Keys contain the id of the person.
 */
export function useFormDraft(
  key: string,
  typed: string | undefined,
  take: (fields: Record<string, string>) => void,
): { restored: boolean; drop: () => void } {
  const [restored, setRestored] = useState(false);
  const hasLooked = useRef(false);
  const onLook = useEffectEvent((draft: string | undefined) => {
    hasLooked.current = true;
    // Typed before the device had loaded the draft: what is typed now counts.
    if (draft === undefined || typed !== undefined) return;
    take(textFields(draft));
    setRestored(true);
  });
  useEffect(() => {
    let isCurrent = true;
    void findDraft(key).then((draft) => isCurrent && onLook(draft?.text));
    return () => {
      isCurrent = false;
    };
  }, [key]);
  useEffect(() => {
    if (hasLooked.current || typed !== undefined) void saveDraft(key, typed ?? '');
  }, [key, typed]);
  const drop = useCallback(() => void dropDraft(key), [key]);
  return { restored, drop };
}

/**
 * Connects a self-saving text to a field: shows typed text, otherwise the stored one, and saves on blur. Changes by others are
 * shown while no text is typed.
 */
import { useEffect, useState } from 'react';
import { useReplica } from '#client/replica/replica-context.tsx';
import { createAutosave, type AutosaveTarget } from '#client/memories/autosave.ts';
import { useStore } from '#client/shell/external-store.ts';
import { useUnsaved } from '#client/shell/unsaved.ts';

/** Pass a React key that changes with `place`; drafts belong to a person and a place. */
export function useAutosave(place: string, target: AutosaveTarget) {
  const { userId } = useReplica();
  const [autosave] = useState(() => createAutosave(`${place}/${userId}`, target));
  const typed = useStore(autosave.typed);
  useUnsaved(typed !== undefined);
  useEffect(() => {
    autosave.aim(target);
  }, [autosave, target]);
  useEffect(() => {
    void autosave.resume();
    const onHide = () => document.visibilityState === 'hidden' && void autosave.flush();
    document.addEventListener('visibilitychange', onHide);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      void autosave.flush();
    };
  }, [autosave]);
  return {
    text: typed ?? target.stored,
    dirty: typed !== undefined,
    change: autosave.change,
    flush: () => void autosave.flush(),
  };
}

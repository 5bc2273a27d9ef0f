/**
 * A text that saves itself while it is typed: waits for a pause, stores a draft meanwhile, and never drops a text that
 * was refused. use-autosave.ts connects it to a field.
 */
import { createStore, type Store } from '#client/shell/external-store.ts';
import { dropDraft, findDraft, saveDraft } from '#client/shell/drafts.ts';

/** Pause in typing after which the text is saved, in milliseconds. */
export const AUTOSAVE_MS = 700;

/** Stored text and how to save another one; `base` is the version that the edit started from. */
export interface AutosaveTarget {
  stored: string;
  version: string | null;
  /** Resolves to the version that the saved text has, or to undefined when it was refused. */
  save: (text: string, base: string | null) => Promise<{ version: string | null } | undefined>;
}

/** A text with its timers. */
export interface Autosave {
  /** Text not saved yet; undefined when everything is saved. */
  typed: Store<string | undefined>;
  /** Sets the stored text. */
  aim: (target: AutosaveTarget) => void;
  change: (text: string) => void;
  /** Saves now. */
  flush: () => Promise<void>;
  /** Restores the draft of an earlier visit that could not be saved. */
  resume: () => Promise<void>;
}

/** Starts without typed text. */
export function createAutosave(draftKey: string, first: AutosaveTarget): Autosave {
  const typed = createStore<string | undefined>(undefined);
  let target = first;
  let base: string | null = null;
  let saveTimer: ReturnType<typeof setTimeout> | undefined;

  const flush = async (): Promise<void> => {
    clearTimeout(saveTimer);
    const text = typed.get();
    if (text === undefined) return;
    if (text !== target.stored) {
      const saved = await target.save(text, base);
      if (!saved) {
        // The words stay on screen and as a draft.
        await saveDraft(draftKey, text, base);
        return;
      }
      base = saved.version;
    }
    // More may have been typed while this was being saved.
    if (typed.get() !== text) return;
    typed.set(undefined);
    await dropDraft(draftKey);
  };

  const type = (text: string, from: string | null) => {
    if (typed.get() === undefined) base = from;
    typed.set(text);
    clearTimeout(saveTimer);
    void saveDraft(draftKey, text, base);
    saveTimer = setTimeout(() => void flush(), AUTOSAVE_MS);
  };

  return {
    typed,
    aim(next) {
      target = next;
    },
    change: (text) => type(text, target.version),
    flush,
    resume: async () => {
      const draft = await findDraft(draftKey);
      if (draft && typed.get() === undefined && draft.text !== target.stored) type(draft.text, draft.base);
    },
  };
}

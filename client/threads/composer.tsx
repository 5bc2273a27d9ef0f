/**
 * The field in which messages are written: grows with its text; Enter sends and Shift+Enter breaks the line, unless the
 * reader chose that only mod+Enter sends.
 * What is typed is a draft of the thread until it was taken over, also through a reload.
 */
import { SendHorizontal } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { findDraft, saveDraft } from '#client/shell/drafts.ts';
import { useOutgoingText } from '#client/shell/outgoing-text.ts';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { useEnterSends } from '#client/shell/enter-sends.ts';
import { Textarea } from '#client/ui/textarea.tsx';

interface ComposerProps {
  draftKey: string;
  label: string;
  /** Resolves to whether the message is stored, so that the field may be cleared. */
  onSend: (content: string) => Promise<boolean>;
  /** Stands in the field while there is no draft. */
  initial?: string;
  onEscape?: () => void;
  /** The field, for those who move the focus into it. */
  fieldRef?: RefObject<HTMLTextAreaElement | null>;
}

/** Pass the draft's key as React key. */
export function Composer({ draftKey, label, onSend, initial = '', onEscape, fieldRef }: ComposerProps) {
  const [text, setText] = useState(initial);
  const touched = useRef(false);
  const ownField = useRef<HTMLTextAreaElement>(null);
  const field = fieldRef ?? ownField;
  useEffect(() => {
    let isCurrent = true;
    void findDraft(draftKey).then((draft) => {
      if (draft && isCurrent && !touched.current) setText(draft.text);
    });
    field.current?.focus({ preventScroll: true });
    return () => {
      isCurrent = false;
    };
  }, [draftKey, field]);
  const change = (next: string) => {
    touched.current = true;
    setText(next);
    void saveDraft(draftKey, next);
  };
  const keep = useCallback((kept: string) => void saveDraft(draftKey, kept), [draftKey]);
  const sendOff = useOutgoingText({ text, show: setText, keep });
  const enterSends = useEnterSends();
  const content = text.trim();
  const over = content.length - LIMITS.message;
  const send = async () => {
    if (content === '' || over > 0) return;
    await sendOff(() => onSend(content));
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && onEscape) {
      event.stopPropagation();
      return onEscape();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    if (!enterSends && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    void send();
  };
  return (
    <div className="rounded-card border border-line-control bg-surface shadow-card focus-within:border-focus focus-within:outline-1 focus-within:outline-focus">
      <div className="flex items-end gap-2 p-2">
        <Textarea
          ref={field}
          bare
          aria-label={label}
          placeholder="Write a message…"
          minRows={1}
          maxRows={12}
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={handleKey}
          className="block px-2 py-1 leading-6 outline-none"
        />
        <PlainIconButton
          label="Send"
          variant="primary"
          icon={<SendHorizontal />}
          disabled={content === '' || over > 0}
          onClick={() => void send()}
        />
      </div>
      {over > 0 && (
        <p role="alert" className="px-4 pb-2 text-xs text-danger-text">
          {over.toLocaleString('en')} characters too many
        </p>
      )}
    </div>
  );
}

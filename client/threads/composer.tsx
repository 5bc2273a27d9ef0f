/**
 * The composer of messages: grows with its text; Enter sends and Shift+Enter breaks the line, unless the setting says
 * that only mod+Enter sends. `@` names memories and spaces that the answer must use. Text and names are a draft of the
 * thread until they are sent, also after a reload.
 */
import { AtSign, SendHorizontal } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { CONTEXT_MAX, readContext, withContext, type ContextItem } from '#shared/threads/message-context.ts';
import { findDraft, saveDraft } from '#client/shell/drafts.ts';
import { useOutgoingText } from '#client/shell/outgoing-text.ts';
import { ChosenContext } from '#client/threads/context-chips.tsx';
import { useMentionKeys } from '#client/threads/use-mention-keys.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { useEnterSends } from '#client/shell/enter-sends.ts';
import { Textarea } from '#client/ui/textarea.tsx';
import { formatCount } from '#shared/english.ts';

interface ComposerProps {
  draftKey: string;
  label: string;
  /** Resolves to whether the message is stored, so that the field may be cleared. */
  onSend: (content: string) => Promise<boolean>;
  /** Value of the field while there is no draft. */
  initial?: string;
  onEscape?: () => void;
  /** The field, for those who move the focus into it. */
  fieldRef?: RefObject<HTMLTextAreaElement | null>;
}

/** The content with its draft: its text, and what it is about. */
function useMessageDraft(draftKey: string, initial: string) {
  const [content, setContent] = useState(initial);
  const touched = useRef(false);
  useEffect(() => {
    let isCurrent = true;
    void findDraft(draftKey).then((draft) => {
      if (draft && isCurrent && !touched.current) setContent(draft.text);
    });
    return () => {
      isCurrent = false;
    };
  }, [draftKey]);
  const change = (items: readonly ContextItem[], text: string) => {
    const next = withContext(items, text);
    touched.current = true;
    setContent(next);
    void saveDraft(draftKey, next);
  };
  return { content, setContent, change };
}

/** Pass the draft's key as React key. */
export function Composer({ draftKey, label, onSend, initial = '', onEscape, fieldRef }: ComposerProps) {
  const { content, setContent, change } = useMessageDraft(draftKey, initial);
  const { items, text } = readContext(content);
  const ownField = useRef<HTMLTextAreaElement>(null);
  const field = fieldRef ?? ownField;
  useEffect(() => field.current?.focus({ preventScroll: true }), [field]);
  const keep = useCallback((kept: string) => void saveDraft(draftKey, kept), [draftKey]);
  const sendOff = useOutgoingText({ text: content, show: setContent, keep });
  const enterSends = useEnterSends();
  const mentions = useMentionKeys({ field, items, text, change });
  const over = withContext(items, text.trim()).length - LIMITS.message;
  const isSendable = text.trim() !== '' && over <= 0;
  const send = async () => {
    if (isSendable) await sendOff(() => onSend(withContext(items, text.trim())));
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || mentions.handleKey(event)) return;
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
    <div className="rounded-card border border-line-control bg-raised focus-within:border-primary focus-within:outline-1 focus-within:outline-primary">
      {mentions.list}
      <ChosenContext
        items={items}
        onRemove={(item) => {
          change(
            items.filter(({ id }) => id !== item.id),
            text,
          );
          field.current?.focus();
        }}
      />
      <div className="flex items-end gap-2 p-2">
        <Textarea
          ref={field}
          bare
          aria-label={label}
          {...mentions.attributes}
          placeholder="Write a message…"
          minRows={1}
          maxRows={12}
          value={text}
          onChange={(event) => {
            change(items, event.target.value);
            mentions.follow(event.target);
          }}
          onSelect={(event) => mentions.follow(event.currentTarget)}
          onBlur={mentions.close}
          onKeyDown={handleKey}
          className="block px-2 leading-6 outline-none [--space:--spacing(1)]"
        />
        <PlainIconButton
          label="Add a memory or space"
          title="Add a memory or space"
          icon={<AtSign />}
          disabled={items.length >= CONTEXT_MAX}
          onClick={mentions.begin}
        />
        <PlainIconButton
          label="Send"
          variant="primary"
          icon={<SendHorizontal />}
          disabled={!isSendable}
          onClick={() => void send()}
        />
      </div>
      {over > 0 && (
        <p role="alert" className="px-4 pb-2 text-xs text-danger">
          {formatCount(over)} characters too many
        </p>
      )}
    </div>
  );
}

/** `@` in a field: the list that follows what is typed, its keys, and what choosing does to the text. */
import { useId, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { CONTEXT_MAX, type ContextItem } from '#shared/threads/message-context.ts';
import { MentionList, optionId } from '#client/threads/mention-list.tsx';
import { mentionAt, useMentions } from '#client/threads/use-mentions.ts';

interface MentionField {
  field: RefObject<HTMLTextAreaElement | null>;
  items: readonly ContextItem[];
  text: string;
  change: (items: readonly ContextItem[], text: string) => void;
}

interface Begun {
  start: number;
  typed: string;
}

/** The list, its ARIA attributes for the field, and the event handlers of the field. */
export function useMentionKeys({ field, items, text, change }: MentionField) {
  const id = useId();
  const find = useMentions();
  const [begun, setBegun] = useState<Begun>();
  const [active, setActive] = useState(0);
  /** Where a list was closed by Escape: it stays closed for this `@`. */
  const [refused, setRefused] = useState<number>();
  const options = begun && items.length < CONTEXT_MAX ? find(begun.typed, items) : [];
  const isOpen = options.length > 0;
  const at = Math.min(active, Math.max(0, options.length - 1));

  const close = () => setBegun(undefined);
  const follow = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
    const next = selectionStart === selectionEnd ? mentionAt(value, selectionStart) : undefined;
    if (next === undefined) setRefused(undefined);
    if (next?.typed !== begun?.typed) setActive(0);
    setBegun(next?.start === refused ? undefined : next);
  };
  const choose = (item: ContextItem) => {
    if (begun === undefined) return;
    const after = text.slice(begun.start + 1 + begun.typed.length);
    // The words around it are one space apart.
    const joined = text.slice(0, begun.start) + after.replace(/^ /, '');
    flushSync(() => {
      change([...items, item], joined);
      close();
    });
    field.current?.focus();
    field.current?.setSelectionRange(begun.start, begun.start);
  };
  /** Returns whether the key was one of the list. */
  const handleKey = (event: KeyboardEvent): boolean => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (!isPlain) return false;
    const element = field.current;
    const isAtStart = element?.selectionStart === 0 && element.selectionEnd === 0;
    if (event.key === 'Backspace' && isAtStart && items.length > 0) {
      event.preventDefault();
      change(items.slice(0, -1), text);
      return true;
    }
    if (!isOpen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = options[at];
    if (step !== undefined) setActive((at + step + options.length) % options.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && option) choose(option);
    else if (event.key === 'Escape') {
      setRefused(begun?.start);
      close();
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  /** Writes an `@` where the cursor is. */
  const begin = () => {
    const element = field.current;
    if (!element) return;
    const { selectionStart: from, selectionEnd: to } = element;
    const isApart = from === 0 || /\s/.test(text.charAt(from - 1));
    const mark = isApart ? '@' : ' @';
    flushSync(() => change(items, text.slice(0, from) + mark + text.slice(to)));
    element.focus();
    element.setSelectionRange(from + mark.length, from + mark.length);
    setRefused(undefined);
    setBegun({ start: from + mark.length - 1, typed: '' });
  };
  const list: ReactNode = isOpen ? (
    <MentionList id={id} options={options} active={at} onChoose={choose} />
  ) : null;
  const attributes = isOpen
    ? ({
        'aria-autocomplete': 'list',
        'aria-controls': id,
        'aria-activedescendant': optionId(id, at),
        'aria-haspopup': 'listbox',
      } as const)
    : {};
  return { list, attributes, handleKey, follow, begin, close };
}

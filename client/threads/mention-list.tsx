/** The list under `@`. The field keeps the focus and handles the keys; a click chooses too. */
import { clsx } from 'clsx';
import type { ContextItem } from '#shared/threads/message-context.ts';
import { ContextIcon } from '#client/threads/context-chips.tsx';
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx';

interface MentionListProps {
  id: string;
  options: readonly ContextItem[];
  active: number;
  onChoose: (item: ContextItem) => void;
}

/** Id of the option that a list has at a place. */
export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

export function MentionList({ id, options, active, onChoose }: MentionListProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native list can neither be filtered nor stay without focus
    <div id={id} role="listbox" aria-label="Memories and spaces" className="border-b border-line p-1">
      {options.map((item, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys (combobox pattern)
        <div
          key={item.id}
          id={optionId(id, index)}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(item)}
          className={clsx(
            'flex h-8 cursor-pointer items-center gap-2 rounded-control px-2 text-sm pointer-coarse:h-11',
            index === active ? 'bg-active' : 'hover:bg-hover',
          )}
        >
          <ContextIcon kind={item.kind} />
          <span className="min-w-0 flex-1 truncate">{item.title}</span>
          {item.kind === 'space' && <span className="text-xs text-ink-faint">Space</span>}
          {item.kind === 'memory' && <VisuallyHidden>Memory</VisuallyHidden>}
        </div>
      ))}
    </div>
  );
}

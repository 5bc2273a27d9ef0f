/**
 * A field that filters a list of choices, several of which may be on; arrow keys move, Enter switches. The focus stays in the
 * field; the caller decides what switching does.
 */
import { clsx } from 'clsx';
import { Check, Minus, Plus, Search } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Input } from '#client/ui/input.tsx';

/** One choice; `mixed` = on for some of the items it applies to. */
export interface PickerOption {
  value: string;
  label: string;
  state: 'on' | 'off' | 'mixed';
  icon?: ReactNode;
  /** Something small at the end, a count for example. */
  after?: ReactNode;
}

/** The state of a choice that applies to `count` of all items. */
export function shareOf(count: number, total: number): PickerOption['state'] {
  if (count === 0) return 'off';
  return count === total ? 'on' : 'mixed';
}

interface PickerListProps {
  label: string;
  placeholder: string;
  options: readonly PickerOption[];
  onToggle: (value: string) => void;
  /** Offered for a text that is no choice yet; returns the text to show, or undefined when it may not be made. */
  creatable?: (text: string) => string | undefined;
  onCreate?: (text: string) => void;
  emptyText: string;
  /** Choosing one option selects it alone, instead of switching several on and off. */
  single?: boolean;
}

const SHOWN = 200;

/**
 * Shows the first two hundred matches; typing narrows them. The dialog or popover around it focuses its first field:
 * focus taken here would be lost to a menu that is still closing.
 */
export function PickerList(props: PickerListProps) {
  const { label, placeholder, options, onToggle, creatable, onCreate, emptyText, single = false } = props;
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const wanted = query.trim().toLowerCase();
  const matches = options.filter((option) => option.label.toLowerCase().includes(wanted)).slice(0, SHOWN);
  const exact = options.some((option) => option.label.toLowerCase() === wanted);
  const created = wanted === '' || exact ? undefined : creatable?.(query.trim());
  const count = matches.length + (created === undefined ? 0 : 1);
  const at = Math.min(active, Math.max(0, count - 1));

  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);

  const choose = (index: number) => {
    const option = matches[index];
    if (option) onToggle(option.value);
    else if (created !== undefined) onCreate?.(created);
    if (!option || wanted !== '') setQuery('');
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && count > 0) {
      event.preventDefault();
      setActive((at + step + count) % count);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing && count > 0) {
      event.preventDefault();
      choose(at);
    }
  };
  return (
    <div className="flex min-h-0 flex-col gap-2">
      {/* oxlint-disable jsx-a11y/prefer-tag-over-role -- native lists can neither filter nor show mixed states */}
      <Input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={count > 0 ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        icon={<Search />}
        placeholder={placeholder}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={handleKey}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={!single}
        data-scroll
        className={clsx('max-h-72 min-h-0 overflow-y-auto', count === 0 && 'hidden')}
      >
        {matches.map((option, index) => (
          <OptionRow
            key={option.value}
            id={`${id}-${index}`}
            option={option}
            active={index === at}
            choose={() => choose(index)}
          />
        ))}
        {created !== undefined && (
          <OptionRow
            id={`${id}-${matches.length}`}
            option={{ value: created, label: `Create “${created}”`, state: 'off', icon: <Plus /> }}
            active={at === matches.length}
            choose={() => choose(matches.length)}
          />
        )}
      </div>
      {/* oxlint-enable jsx-a11y/prefer-tag-over-role */}
      {count === 0 && <p className="px-2 py-4 text-center text-ink-muted">{emptyText}</p>}
    </div>
  );
}

interface OptionRowProps {
  id: string;
  option: PickerOption;
  active: boolean;
  choose: () => void;
}

function OptionRow({ id, option, active, choose }: OptionRowProps) {
  const Mark = option.state === 'mixed' ? Minus : Check;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys (combobox pattern)
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
      role="option"
      tabIndex={-1}
      aria-selected={option.state === 'on'}
      onMouseDown={(event) => event.preventDefault()}
      onClick={choose}
      className={clsx(
        'flex h-8 cursor-pointer items-center gap-2 rounded-control px-2 text-sm pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0',
        active ? 'bg-hover' : 'hover:bg-hover',
      )}
    >
      {option.icon}
      <span className="min-w-0 flex-1 truncate">{option.label}</span>
      {option.after !== undefined && (
        <span className="flex items-center text-xs text-ink-faint tabular-nums [&_svg]:size-3.5">
          {option.after}
        </span>
      )}
      <span className="size-4 text-primary">{option.state !== 'off' && <Mark aria-hidden="true" />}</span>
      {option.state === 'mixed' && <span className="sr-only">some</span>}
    </div>
  );
}

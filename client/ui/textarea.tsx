/**
 * A text field of several lines that grows with its text up to a limit.
 * Plain text or Markdown source; it renders nothing.
 */
import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { controlStyle } from '#client/ui/control-style.ts';
import { useFieldControl } from '#client/ui/field-context.ts';

interface TextareaProps extends Omit<ComponentProps<'textarea'>, 'style' | 'rows'> {
  /** Without border and ground, for editors that are the page itself; a frame around it may mark the focus instead. */
  bare?: boolean;
  minRows?: number;
  maxRows?: number;
}

/** The height of so many lines, with `--space` above and below them and `--edge` for both borders. */
const heightOf = (rows: number): string => `calc(${rows}lh + 2 * var(--space, 0px) + var(--edge, 0px))`;

/** Starts with three lines and scrolls beyond sixteen, unless set otherwise. */
export function Textarea({ bare = false, minRows = 3, maxRows = 16, className, ...rest }: TextareaProps) {
  const wiring = useFieldControl();
  return (
    <textarea
      {...wiring}
      {...rest}
      rows={minRows}
      style={{ minHeight: heightOf(minRows), maxHeight: heightOf(maxRows) }}
      className={clsx(
        'field-sizing-content resize-none py-[var(--space,0px)]',
        bare
          ? 'w-full rounded-xs bg-transparent text-sm focus-visible:outline-1 focus-visible:outline-offset-4 pointer-coarse:text-base'
          : [controlStyle, '[--edge:2px] [--space:--spacing(2)] leading-relaxed'],
        className,
      )}
    />
  );
}

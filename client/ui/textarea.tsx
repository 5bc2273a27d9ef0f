/**
 * A text field of several lines that grows with its text up to a limit.
 * Plain text or Markdown source; it renders nothing.
 */
import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import Autosize from 'react-textarea-autosize';
import { controlStyle } from '#client/ui/control-style.ts';
import { useFieldControl } from '#client/ui/field-context.ts';

interface TextareaProps extends Omit<ComponentProps<typeof Autosize>, 'style'> {
  /** Without border and ground, for editors that are the page itself; a frame around it may mark the focus instead. */
  bare?: boolean;
}

/** Starts with three lines and scrolls beyond sixteen, unless set otherwise. */
export function Textarea({ bare = false, minRows = 3, maxRows = 16, className, ...rest }: TextareaProps) {
  const wiring = useFieldControl();
  return (
    <Autosize
      {...wiring}
      {...rest}
      minRows={minRows}
      maxRows={maxRows}
      className={clsx(
        bare
          ? 'w-full resize-none rounded-xs bg-transparent text-sm focus-visible:outline-1 focus-visible:outline-offset-4 pointer-coarse:text-base'
          : [controlStyle, 'resize-none py-2 leading-relaxed'],
        className,
      )}
    />
  );
}

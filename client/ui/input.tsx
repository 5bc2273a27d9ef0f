/**
 * A one-line text field, with an optional mark before and something after it (a button, a unit).
 * Inside a Field it wires itself to label, hint and error.
 */
import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { controlHeight, controlStyle } from '#client/ui/control-style.ts';
import { useFieldControl } from '#client/ui/field-context.ts';

interface InputProps extends ComponentProps<'input'> {
  icon?: ReactNode;
  after?: ReactNode;
}

/** Switches off changes that on-screen keyboards make to e-mail addresses. */
const FOR_ADDRESSES = { inputMode: 'email', autoCapitalize: 'none', spellCheck: false } as const;

/** Accepts every attribute of the native element, so forms can register it directly. */
export function Input({ icon, after, className, type = 'text', ...rest }: InputProps) {
  const wiring = useFieldControl();
  const input = (extra: string) => (
    <input
      {...wiring}
      {...(type === 'email' && FOR_ADDRESSES)}
      {...rest}
      type={type}
      className={clsx(controlStyle, controlHeight, extra)}
    />
  );
  if (icon === undefined && after === undefined) return input(className ?? '');
  return (
    <div className={clsx('relative', className)}>
      {icon !== undefined && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 start-0 flex w-9 items-center justify-center text-ink-faint [&_svg]:size-4"
        >
          {icon}
        </span>
      )}
      {input(clsx(icon !== undefined && 'ps-9', after !== undefined && 'pe-10'))}
      {after !== undefined && <span className="absolute inset-y-0 end-1 flex items-center">{after}</span>}
    </div>
  );
}

/**
 * Class names of buttons, for everything that must look like one (button, link, trigger). Behaviour is in button.tsx
 * and link-button.tsx.
 */
import { clsx } from 'clsx';

const BASE = [
  'relative inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap font-medium',
  'rounded-control border transition-colors duration-fast',
  'aria-disabled:cursor-not-allowed aria-disabled:opacity-55 disabled:cursor-not-allowed disabled:opacity-55',
  '[&_svg]:size-4 [&_svg]:shrink-0',
];

const VARIANTS = {
  primary: 'border-transparent bg-primary text-primary-ink not-disabled:hover:bg-primary-hover',
  secondary: 'border-line-strong bg-raised text-ink not-disabled:hover:bg-hover',
  soft: 'border-transparent bg-primary-soft text-primary not-disabled:hover:bg-primary-soft/70',
  ghost:
    'border-transparent text-ink-muted not-disabled:hover:bg-hover not-disabled:hover:text-ink data-[state=open]:bg-hover data-[state=open]:text-ink',
  danger: 'border-transparent bg-danger text-danger-ink not-disabled:hover:bg-danger-hover',
  quietDanger: 'border-transparent text-danger not-disabled:hover:bg-danger-soft',
};

const SIZES = {
  sm: 'h-7 gap-1.5 px-2.5 text-xs pointer-coarse:h-11 pointer-coarse:px-3.5',
  md: 'h-8 gap-2 px-3 text-sm pointer-coarse:h-11 pointer-coarse:px-4',
  lg: 'h-10 gap-2 px-4 text-sm pointer-coarse:h-11',
};

/** The choices a button-like component passes through. */
export interface ButtonStyle {
  variant?: keyof typeof VARIANTS | undefined;
  size?: keyof typeof SIZES | undefined;
  block?: boolean | undefined;
}

/** Class names by variant and size; on touch every size grows to 44 px. */
export function buttonStyle({ variant = 'secondary', size = 'md', block = false }: ButtonStyle = {}): string {
  return clsx(BASE, VARIANTS[variant], SIZES[size], block && 'w-full');
}

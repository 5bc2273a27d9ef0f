/** A person or a place as initials on a colour that is always the same for the same name. Decorative beside the name. */
import { clsx } from 'clsx';
import { avatarHue, initialsOf } from '#client/ui/avatar-face.ts';

// React sets custom properties, but its types name none.
declare module 'react' {
  interface CSSProperties {
    '--hue'?: number;
  }
}

interface AvatarProps {
  name: string;
  /** Determines the colour, an id for example; the name by default. */
  seed?: string;
  size?: 'xs' | 'sm' | 'md' | 'lg';
  square?: boolean;
}

const SIZES = {
  xs: 'size-5 text-[0.5625rem]',
  sm: 'size-6 text-[0.625rem]',
  md: 'size-8 text-xs',
  lg: 'size-12 text-base',
} as const;

export function Avatar({ name, seed = name, size = 'md', square = false }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'avatar-face inline-grid shrink-0 place-items-center overflow-hidden font-semibold select-none',
        SIZES[size],
        square ? 'rounded-control' : 'rounded-full',
      )}
      style={{ '--hue': avatarHue(seed) }}
    >
      {initialsOf(name)}
    </span>
  );
}

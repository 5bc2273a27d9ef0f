/**
 * A person or a place as a picture or as initials on a colour that is always the same for the same name. Decorative beside the
 * name; `labelled` where it is shown alone.
 */
import { clsx } from 'clsx';
import { useState } from 'react';
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
  src?: string | undefined;
  size?: 'xs' | 'sm' | 'md' | 'lg';
  square?: boolean;
  labelled?: boolean;
}

const SIZES = {
  xs: 'size-5 text-[0.5625rem]',
  sm: 'size-6 text-[0.625rem]',
  md: 'size-8 text-xs',
  lg: 'size-12 text-base',
} as const;

/** Falls back to initials when the picture does not load. */
export function Avatar({
  name,
  seed = name,
  src,
  size = 'md',
  square = false,
  labelled = false,
}: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  const shape = clsx(
    'inline-grid shrink-0 place-items-center overflow-hidden',
    SIZES[size],
    square ? 'rounded-control' : 'rounded-full',
  );
  const voice = labelled ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true };
  if (src !== undefined && src !== broken) {
    return (
      <span {...voice} className={shape}>
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          className="size-full object-cover"
          onError={() => setBroken(src)}
        />
      </span>
    );
  }
  return (
    <span
      {...voice}
      className={clsx(shape, 'avatar-face font-semibold select-none')}
      style={{ '--hue': avatarHue(seed) }}
    >
      {initialsOf(name)}
    </span>
  );
}

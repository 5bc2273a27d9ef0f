/**
 * The cover of a space: its colour as a quiet ground and one of the built-in patterns drawn over it.
 * Drawn by the browser in the colours of the mode; decorative, the name always stands beside it.
 */
import { clsx } from 'clsx';
import { useId, type ReactNode } from 'react';
import type { Space } from '#shared/spaces/space.ts';
import { SPACE_GROUND } from '#client/spaces/space-color.ts';

type CoverName = Space['cover'];

function Tiles({ width, height, children }: { width: number; height: number; children: ReactNode }) {
  const id = useId();
  return (
    <svg className="size-full">
      <pattern id={id} width={width} height={height} patternUnits="userSpaceOnUse">
        {children}
      </pattern>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
}

function Picture({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 600 160" preserveAspectRatio="xMidYMax slice" fill="currentColor" className="size-full">
      {children}
    </svg>
  );
}

const LINE = { fill: 'none', stroke: 'currentColor' } as const;
const RAYS = Array.from({ length: 12 }, (_, index) => (index * Math.PI) / 12 + 0.05);

function ray(angle: number): string {
  const end = (turn: number) =>
    `${Math.round(300 + 700 * Math.cos(turn))},${Math.round(170 - 700 * Math.sin(turn))}`;
  return `300,170 ${end(angle)} ${end(angle + Math.PI / 26)}`;
}

const PATTERNS: Readonly<Record<CoverName, ReactNode>> = {
  none: null,
  dots: (
    <Tiles width={18} height={18}>
      <circle cx={4} cy={4} r={1.5} fill="currentColor" opacity={0.45} />
      <circle cx={13} cy={13} r={1.5} fill="currentColor" opacity={0.25} />
    </Tiles>
  ),
  waves: (
    <Tiles width={56} height={18}>
      <path d="M0 9 Q14 1 28 9 T56 9" {...LINE} strokeWidth={1.5} opacity={0.4} />
    </Tiles>
  ),
  grid: (
    <Tiles width={24} height={24}>
      <path d="M24 .5H.5V24" {...LINE} opacity={0.3} />
    </Tiles>
  ),
  rays: (
    <Picture>
      {RAYS.map((angle) => (
        <polygon key={angle} points={ray(angle)} opacity={0.16} />
      ))}
      <circle cx={300} cy={170} r={46} opacity={0.3} />
    </Picture>
  ),
  hills: (
    <Picture>
      <circle cx={452} cy={50} r={20} opacity={0.3} />
      <path d="M0 120Q110 50 230 108T420 92T600 78V160H0Z" opacity={0.16} />
      <path d="M0 142Q90 92 200 128T390 120T600 104V160H0Z" opacity={0.2} />
      <path d="M0 152Q150 122 300 146T600 134V160H0Z" opacity={0.24} />
    </Picture>
  ),
  paper: (
    <Tiles width={600} height={15}>
      <path d="M0 14.5H600" {...LINE} opacity={0.28} />
      <path d="M36.5 0V15" {...LINE} strokeWidth={1.5} opacity={0.5} />
    </Tiles>
  ),
};

/** Fills the box its class names give it. */
export function SpaceCover({
  color,
  cover,
  className,
}: Pick<Space, 'color' | 'cover'> & { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={clsx('overflow-hidden bg-linear-to-br', SPACE_GROUND[color], className)}
    >
      {PATTERNS[cover]}
    </div>
  );
}

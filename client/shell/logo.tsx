// The product's mark: an arch with a smaller arch and a dot in it. Same drawing as favicon.svg.
import { PRODUCT_NAME } from '#shared/constants.ts';

/** The mark alone; decorative. */
export function LogoMark({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" className={`text-primary ${className}`}>
      <path d="M3.5 21.5v-11a8.5 8.5 0 0 1 17 0v11h-4.6v-10.3a3.9 3.9 0 0 0-7.8 0v10.3Z" />
      <circle cx="12" cy="12.4" r="1.9" />
    </svg>
  );
}

/** Mark and name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2">
      <LogoMark />
      <span className="font-serif text-[1.375rem] leading-none font-medium tracking-tight">
        {PRODUCT_NAME}
      </span>
    </span>
  );
}

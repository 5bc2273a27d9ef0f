// The product's mark: four rooms of a house, one of them lit. Same drawing as favicon.svg.
import { PRODUCT_NAME } from '#shared/constants.ts';

/** The mark alone; decorative. */
export function LogoMark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 512 512" aria-hidden="true" className={className}>
      <rect width="512" height="512" rx="116" fill="#047857" />
      <path
        fill="#6ee7b7"
        d="M138 114h88a16 16 0 0 1 16 16v96a16 16 0 0 1-16 16h-96a16 16 0 0 1-16-16v-88a24 24 0 0 1 24-24Zm-8 156h96a16 16 0 0 1 16 16v96a16 16 0 0 1-16 16h-88a24 24 0 0 1-24-24v-88a16 16 0 0 1 16-16Zm156 0h96a16 16 0 0 1 16 16v88a24 24 0 0 1-24 24h-88a16 16 0 0 1-16-16v-96a16 16 0 0 1 16-16Z"
      />
      <circle cx="334" cy="178" r="64" fill="#fff" />
    </svg>
  );
}

/** Mark and name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <LogoMark />
      <span className="font-serif text-name">{PRODUCT_NAME}</span>
    </span>
  );
}

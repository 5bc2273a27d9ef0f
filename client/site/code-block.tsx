/** A block of code with its language and a copy button. Colours come from class names that the build wrote. */
import type { ReactNode } from 'react';
import { SiteIcon } from '#client/shell/site-icon.tsx';

interface CodeBlockProps {
  language: string | undefined;
  children: ReactNode;
}

/** The button is answered by copy-code.ts; without script the code is simply text. */
export function CodeBlock({ language, children }: CodeBlockProps) {
  return (
    <div className="group/code relative">
      {/* Long lines scroll; the keyboard must reach what scrolls. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre data-language={language} tabIndex={0}>
        {children}
      </pre>
      <button
        type="button"
        data-action="copy"
        aria-label="Copy code"
        className="group absolute end-2 top-2 inline-flex size-8 items-center justify-center rounded-control border border-line bg-raised text-ink-muted opacity-0 transition-opacity duration-fast group-hover/code:opacity-100 hover:text-ink focus-visible:opacity-100 pointer-coarse:size-11 pointer-coarse:opacity-100"
      >
        <SiteIcon name="check" className="hidden size-4 text-primary group-data-copied:block" />
        <SiteIcon name="copy" className="size-4 group-data-copied:hidden" />
      </button>
    </div>
  );
}

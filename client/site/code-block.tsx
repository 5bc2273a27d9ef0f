// A block of code with its language and a copy button. Colours come from class names that the build wrote.
import { type ReactNode, useEffect, useState } from 'react';
import { COPIED_RESET_MS } from '#shared/constants.ts';
import '#client/site/content.css';
import { SiteIcon } from '#client/shell/site-icon.tsx';

interface CodeBlockProps {
  text: string;
  language: string | undefined;
  children: ReactNode;
}

/** The button answers for COPIED_RESET_MS and then rests. Without JavaScript the code is simply text. */
export function CodeBlock({ text, language, children }: CodeBlockProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_RESET_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  // A refused clipboard leaves the button as it is: the text can still be selected.
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true), console.warn);
  return (
    <div className="group/code relative">
      {/* Long lines scroll; the keyboard must reach what scrolls. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre data-language={language} tabIndex={0}>
        {children}
      </pre>
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={copied ? 'Copied' : 'Copy code'}
        className="absolute end-2 top-2 inline-flex size-8 items-center justify-center rounded-control border border-line bg-surface text-ink-muted opacity-0 transition-opacity duration-fast group-hover/code:opacity-100 hover:text-ink focus-visible:opacity-100 pointer-coarse:size-11 pointer-coarse:opacity-100"
      >
        {copied ? (
          <SiteIcon name="check" className="size-4 text-primary-text" />
        ) : (
          <SiteIcon name="copy" className="size-4" />
        )}
      </button>
    </div>
  );
}

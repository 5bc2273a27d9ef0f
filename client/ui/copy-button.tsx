/**
 * Copies a text and confirms that for 1500 ms; shows a failure when the browser denies access to the clipboard.
 */
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { COPIED_RESET_MS } from '#client/ui/timing.ts';
import { Button } from '#client/ui/button.tsx';
import type { ButtonStyle } from '#client/ui/button-style.ts';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';

type CopyState = 'idle' | 'copied' | 'failed';

interface CopyButtonProps extends Pick<ButtonStyle, 'variant' | 'size'> {
  /** A function where the text is known only at the click. */
  text: string | (() => string);
  label?: string;
  iconOnly?: boolean;
  className?: string;
}

const WORDS: Readonly<Record<CopyState, string>> = { idle: '', copied: 'Copied', failed: 'Could not copy' };

/** A promise in every case: on a page without https the clipboard itself is missing. */
async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

/** `label` is "Copy" by default. */
export function CopyButton({
  text,
  label = 'Copy',
  iconOnly = false,
  variant,
  size,
  className,
}: CopyButtonProps) {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), COPIED_RESET_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    copyText(typeof text === 'function' ? text() : text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const icon = state === 'copied' ? <Check className="text-primary" /> : <Copy />;
  const shown = state === 'idle' ? label : WORDS[state];
  return (
    <>
      {iconOnly ? (
        <PlainIconButton
          title={shown}
          label={shown}
          icon={icon}
          onClick={copy}
          variant={variant ?? 'ghost'}
          className={className}
        />
      ) : (
        <Button icon={icon} onClick={copy} variant={variant} size={size} className={className}>
          {shown}
        </Button>
      )}
      <output className="sr-only">{WORDS[state]}</output>
    </>
  );
}

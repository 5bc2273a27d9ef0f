/**
 * One sample in several languages, one at a time: radio buttons and styles (content.css), so that it works without script. With
 * it, sample-language.ts applies the choice to all samples, and try-call.ts opens a form that sends the call.
 */
import type { ReactNode } from 'react';
import { SAMPLE_LANGUAGES } from '#shared/openapi/sample-languages.ts';
import { buttonStyle } from '#client/ui/button-style.ts';

const LANGUAGES = Object.entries(SAMPLE_LANGUAGES);

const CHOICE =
  'sample-choice relative inline-flex min-h-6 items-center rounded-control px-3 text-sm font-medium text-ink-muted hover:text-ink pointer-coarse:min-h-11';

interface CodeSamplesProps {
  /** Name of the operation, or of the section of a guide. */
  name: string;
  /** Method and path, or the title of the section. */
  call: string;
  /** Whether a form of this page can send it. */
  isSendable: boolean;
  /** A block of code for each language, in their order. */
  children: readonly ReactNode[];
}

export function CodeSamples({ name, call, isSendable, children }: CodeSamplesProps) {
  return (
    <div className="samples">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <fieldset className="flex gap-1">
          <legend className="sr-only">Language of the sample for {call}</legend>
          {LANGUAGES.map(([language, { label }], index) => (
            <label key={language} className={CHOICE}>
              <input
                type="radio"
                name={`sample ${name}`}
                value={language}
                data-sample-language
                defaultChecked={index === 0}
                className="sr-only"
              />
              {label}
            </label>
          ))}
        </fieldset>
        {isSendable && (
          <button
            type="button"
            data-action="try-call"
            data-call={name}
            aria-label={`Try it: ${call}`}
            aria-expanded={false}
            className={buttonStyle({ size: 'sm' })}
          >
            Try it
          </button>
        )}
      </div>
      {LANGUAGES.map(([language], index) => (
        <div key={language} data-sample={language}>
          {children[index]}
        </div>
      ))}
    </div>
  );
}

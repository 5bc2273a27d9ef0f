/**
 * The form that sends a call from the API reference, as a template of the page: try-call.ts clones it for each call that a
 * reader wants to try, and fills it in from the OpenAPI document.
 */
import { clsx } from 'clsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { controlHeight, controlStyle } from '#client/ui/control-style.ts';

const LABEL = 'block text-sm font-medium';
const FIELD = clsx(controlStyle, controlHeight, 'mt-1');
const HINT = 'mt-1 mb-0 text-xs leading-5 text-ink-muted';

const BODY =
  'mt-3 mb-0 max-h-96 overflow-auto rounded-control border border-line bg-sunk p-3 font-mono text-code';

/** Drawn once into each page that has samples. */
export function CallForm() {
  return (
    <template id="call-form">
      <form
        noValidate
        autoComplete="off"
        className="mt-3 space-y-4 rounded-card border border-line bg-raised p-4 text-sm leading-6"
      >
        <div data-part="key">
          <label>
            <span data-part="key-label" className={LABEL}>
              API key
            </span>
            <input
              type="password"
              name="key"
              autoComplete="off"
              spellCheck={false}
              className={clsx(FIELD, 'font-mono')}
            />
          </label>
          <p className={HINT}>
            <span data-part="key-hint" /> Stored in this tab until you close it, and sent to this server only.
          </p>
          <button
            type="button"
            data-part="forget"
            className={clsx(buttonStyle({ variant: 'ghost', size: 'sm' }), '-ms-2.5')}
          >
            Forget key
          </button>
        </div>
        <div data-part="fields" className="grid gap-4 empty:hidden sm:grid-cols-2" />
        <details data-part="more">
          <summary className="cursor-pointer text-sm font-medium pointer-coarse:min-h-11">
            Optional query parameters
          </summary>
          <div data-part="query" className="mt-3 grid gap-4 sm:grid-cols-2" />
        </details>
        <label data-part="body" className="block">
          <span className={LABEL}>Body</span>
          <textarea
            name="body"
            spellCheck={false}
            rows={4}
            className={clsx(controlStyle, 'mt-1 py-2 font-mono')}
          />
        </label>
        <label data-part="file" className="block">
          <span className={LABEL}>File</span>
          <input type="file" name="file" className="mt-1 block max-w-full pointer-coarse:min-h-11" />
        </label>
        <p role="alert" data-part="problem" className="text-danger empty:hidden" />
        <fieldset data-part="confirm" hidden className="rounded-control bg-danger-soft px-3 pb-3">
          <legend data-part="question" className="float-start w-full py-2 font-medium wrap-anywhere">
            Send this request?
          </legend>
          <div className="clear-both flex flex-wrap gap-2">
            <button type="button" data-part="confirmed" className={buttonStyle()}>
              Send DELETE request
            </button>
            <button type="button" data-part="cancel" className={buttonStyle({ variant: 'ghost' })}>
              Cancel
            </button>
          </div>
        </fieldset>
        <div className="flex flex-wrap items-center gap-2">
          <button type="submit" data-part="send" className={buttonStyle({ variant: 'primary' })}>
            Send request
          </button>
          <button type="button" data-part="stop" hidden className={buttonStyle()}>
            Stop
          </button>
        </div>
        <section data-part="answer" aria-label="Response" hidden className="border-t border-line pt-4">
          <output data-part="status" className="block font-medium data-failed:text-danger" />
          <p data-part="words" className="my-0 text-danger empty:hidden" />
          <dl data-part="headers" className="mt-2 grid gap-x-4 text-xs sm:grid-cols-[auto_1fr]" />
          {/* Long responses scroll; the keyboard must reach a scrolling element. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre data-part="text" tabIndex={0} className={BODY} />
        </section>
      </form>
      <label data-part="field" className="block min-w-0">
        <span data-part="name" className={clsx(LABEL, 'font-mono')}>
          id
        </span>
        <input autoComplete="off" spellCheck={false} className={clsx(FIELD, 'font-mono')} />
      </label>
    </template>
  );
}

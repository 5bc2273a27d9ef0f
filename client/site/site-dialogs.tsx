/**
 * Overlays of every public page, as templates of the document: the early-access form, the search, and toasts. None is rendered
 * until an island instantiates it (native-dialog.ts, site-search.ts, toast-list.ts).
 */
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { NewsletterForm } from '#client/site/newsletter-form.tsx';
import { SiteButton } from '#client/shell/site-button.tsx';
import { DIALOG_GROUND, SiteDialog } from '#client/shell/site-dialog.tsx';

function Template({ id, children }: { id: string; children: ReactNode }) {
  return <template id={id}>{children}</template>;
}

function EarlyAccess() {
  return (
    <SiteDialog
      id="early-access"
      title="Get early access"
      description={`${PRODUCT_NAME} opens in small groups. Leave your address and an invite will follow.`}
    >
      <NewsletterForm label="E-mail" action="Request access" asksForNews />
      <p className="mt-2 flex flex-wrap gap-x-5 border-t border-line pt-4 text-sm text-ink-muted">
        <a
          href="/signup"
          className="inline-flex min-h-6 items-center font-medium text-primary hover:underline pointer-coarse:min-h-11"
        >
          Create an account
        </a>
        <a
          href="/login"
          className="inline-flex min-h-6 items-center font-medium text-primary hover:underline pointer-coarse:min-h-11"
        >
          Already have an account? Log in
        </a>
      </p>
    </SiteDialog>
  );
}

function Search() {
  return (
    <dialog
      aria-label="Search the docs and the blog"
      className={clsx(
        DIALOG_GROUND,
        'fixed mx-auto mt-3 mb-auto max-h-[calc(100dvh-1.5rem)] w-[calc(100%-1.5rem)] max-w-xl flex-col overflow-hidden rounded-dialog open:flex open:animate-pop-in sm:mt-[12vh] sm:max-h-[70dvh]',
      )}
    >
      <div className="flex items-center gap-3 border-b border-line px-4 focus-within:border-primary">
        <SiteIcon name="search" className="size-4.5 shrink-0 text-ink-faint" />
        <input
          role="combobox"
          aria-label="Search the docs and the blog"
          aria-expanded={true}
          aria-controls="search-results"
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Search the docs and the blog"
          className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none"
        />
      </div>
      <div data-scroll className="min-h-0 flex-1 overflow-y-auto p-2">
        {/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a native list cannot be filtered by a field */}
        <div role="listbox" id="search-results" aria-label="Results" />
        <p data-empty aria-live="polite" className="px-3 py-10 text-center text-sm text-ink-muted" />
      </div>
      <template>
        <div
          role="option"
          aria-selected={false}
          tabIndex={-1}
          className="group flex cursor-pointer items-start gap-3 rounded-control px-3 py-2.5 aria-selected:bg-hover"
        >
          <SiteIcon name="file-text" className="mt-0.5 size-4 shrink-0 text-ink-faint" />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-medium">
              <span data-title />
              <span data-section className="font-normal text-ink-muted" />
            </span>
            <span data-snippet className="mt-0.5 line-clamp-2 block text-xs text-ink-muted" />
          </span>
          <SiteIcon
            name="enter"
            className="mt-1 size-3.5 shrink-0 text-ink-faint opacity-0 group-aria-selected:opacity-100"
          />
        </div>
        {/* oxlint-enable jsx-a11y/prefer-tag-over-role */}
      </template>
    </dialog>
  );
}

function Toast() {
  return (
    <div
      data-surface
      className="group pointer-events-auto flex w-full items-start gap-2.5 rounded-card bg-raised p-3 text-sm text-ink shadow-float data-[state=open]:animate-toast-in"
    >
      <SiteIcon
        name="check"
        className="mt-0.5 hidden size-4.5 shrink-0 text-primary group-data-[kind=success]:block"
      />
      <SiteIcon
        name="flag"
        className="mt-0.5 hidden size-4.5 shrink-0 text-danger group-data-[kind=error]:block group-data-[kind=warning]:block"
      />
      <div className="min-w-0 flex-1">
        <p data-title className="font-medium break-words" />
        <p data-description className="mt-0.5 break-words text-ink-muted" />
      </div>
      <SiteButton label="Close" data-action="close-toast" className="size-6">
        <SiteIcon name="x" />
      </SiteButton>
    </div>
  );
}

/** Once at the end of every public page. */
export function SiteDialogs() {
  return (
    <>
      <EarlyAccess />
      <Template id="site-search">
        <Search />
      </Template>
      <Template id="toast">
        <Toast />
      </Template>
      {/* In the top layer, because dialogs are there; a live region must exist before its first message. */}
      <output
        id="toasts"
        popover="manual"
        aria-live="polite"
        className="pointer-events-none fixed inset-auto end-0 bottom-0 m-0 w-full max-w-[26rem] flex-col gap-2 overflow-visible border-0 bg-transparent p-4 open:flex"
      />
    </>
  );
}

/** Shown by the service worker without a network, in place of a page that it does not have. */
import { PRODUCT_NAME } from '#shared/constants.ts';
import { Column } from '#client/site/section.tsx';

export function OfflinePage() {
  return (
    <Column className="py-16 sm:py-24">
      <div className="mx-auto max-w-md">
        <h1 className="font-serif text-title">Not on this device</h1>
        <p className="mt-4 text-base text-ink-muted">
          You are offline, and this page has not been opened on this device. It opens when you are online; so
          do logging in and signing up.
        </p>
        <p className="mt-4 text-base text-ink-muted">
          The documentation and the blog of {PRODUCT_NAME} can be read without a network.
        </p>
        <p className="mt-6 border-t border-line pt-5 text-sm">
          <a
            href="/docs"
            className="inline-flex min-h-6 items-center font-medium text-primary hover:underline pointer-coarse:min-h-11"
          >
            Read the documentation
          </a>
        </p>
      </div>
    </Column>
  );
}

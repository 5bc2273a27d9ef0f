// The public site's footer: two columns of links, the newsletter form, copyright and host.
import { PRODUCT_NAME } from '#shared/constants.ts';
import { Logo } from '#client/shell/logo.tsx';
import { NewsletterForm } from '#client/site/newsletter-form.tsx';
import { SiteIcon } from '#client/shell/site-icon.tsx';

interface FooterColumn {
  label: string;
  children: { label: string; to: string }[];
}

const COLUMNS: FooterColumn[] = [
  {
    label: 'About',
    children: [
      { label: `Why ${PRODUCT_NAME}?`, to: '/blog/why' },
      { label: 'Pricing', to: '/pricing' },
      { label: 'Blog', to: '/blog' },
    ],
  },
  { label: 'Developers', children: [{ label: 'Docs', to: '/docs' }] },
];

function currentYear(): number {
  return new Date().getFullYear();
}

export function SiteFooter() {
  return (
    <footer className="border-t border-line bg-sunk" data-print="hide">
      <div className="mx-auto grid max-w-6xl gap-10 px-4 py-14 sm:px-6 md:grid-cols-[1fr_1fr_2fr]">
        {COLUMNS.map(({ label, children }) => (
          <nav key={label} aria-label={label}>
            <h2 className="text-sm font-semibold">{label}</h2>
            <ul className="mt-3 space-y-1">
              {children.map((link) => (
                <li key={link.to}>
                  <a
                    href={link.to}
                    className="inline-flex min-h-8 items-center text-sm text-ink-muted hover:text-ink hover:underline pointer-coarse:min-h-11"
                  >
                    {link.label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div className="max-w-md md:ms-auto md:w-full">
          <NewsletterForm
            label="Get product updates"
            action="Subscribe"
            hint="Stored on this server and read only by the people who run it."
          />
        </div>
      </div>
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-4 border-t border-line px-4 py-6 text-sm text-ink-muted sm:px-6">
        <p className="flex items-center gap-4">
          <Logo />
          <span>
            © {currentYear()} {PRODUCT_NAME}
          </span>
        </p>
        <PoweredBy />
      </div>
    </footer>
  );
}

/** The person or company that runs this server hosts it, so the mark names no other provider. */
function PoweredBy() {
  return (
    <p className="inline-flex items-center gap-2">
      Powered by
      <SiteIcon name="server" className="size-4 text-ink" />
      <a href="/docs/self-hosting" className="font-semibold text-ink hover:underline">
        its own server
      </a>
    </p>
  );
}

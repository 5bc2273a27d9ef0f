/**
 * The public site's header: home, explore, pricing, blog, search, colour mode, and the two links that open the early-access
 * dialog; without script they lead to the page with the same form. A signed-in person has one link to the workspace instead. On phones a menu.
 */
import { Logo } from '#client/shell/logo.tsx';
import { usePageAddress } from '#client/shell/page-address.ts';
import { SiteButton } from '#client/shell/site-button.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';

const LINKS = [
  { to: '/explore', label: 'Explore' },
  { to: '/pricing', label: 'Pricing' },
  { to: '/blog', label: 'Blog' },
] as const;

const linkStyle =
  'rounded-control px-3 py-2 text-sm font-medium text-ink-muted transition-colors duration-fast hover:text-ink aria-[current=page]:text-ink';

/** `aria-current` of a link on the page at this path; `isWhole` for links that do not cover the pages below theirs. */
function currentAt(pathname: string, to: string, isWhole = false): 'page' | undefined {
  const isHere = pathname === to || (!isWhole && pathname.startsWith(`${to}/`));
  return isHere ? 'page' : undefined;
}

export function SiteHeader() {
  const { pathname } = usePageAddress();
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper/85 backdrop-blur supports-[not(backdrop-filter:blur(0))]:bg-paper">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 sm:px-6">
        <a href="/" aria-label="Loci home" className="-mx-1 flex rounded-control px-1 py-2">
          <Logo />
        </a>
        <nav aria-label="Main" className="ms-6 hidden md:block">
          <ul className="flex gap-1">
            {LINKS.map(({ to, label }) => (
              <li key={to}>
                <a href={to} aria-current={currentAt(pathname, to)} className={linkStyle}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ms-auto flex items-center gap-1 sm:gap-2">
          <SiteButton label="Search" data-action="search">
            <SiteIcon name="search" />
          </SiteButton>
          <SiteButton label="Light or dark" data-action="color-mode">
            <SiteIcon name="moon" className="dark:hidden" />
            <SiteIcon name="sun" className="hidden dark:block" />
          </SiteButton>
          <a
            href="/request-access"
            data-action="early-access"
            className={`${buttonStyle({ variant: 'ghost', size: 'lg' })} max-md:hidden signed-in:hidden`}
          >
            Sign in
          </a>
          <a
            href="/request-access"
            data-action="early-access"
            className={`${buttonStyle({ variant: 'primary', size: 'lg' })} max-md:hidden signed-in:hidden`}
          >
            Sign up
          </a>
          <OpenWorkspace className="max-md:hidden" />
          <SiteButton
            label="Open menu"
            data-action="fold-out"
            data-label-open="Close menu"
            aria-expanded={false}
            aria-controls="site-menu"
            className="group md:hidden"
          >
            <SiteIcon name="x" className="hidden group-aria-expanded:block" />
            <SiteIcon name="menu" className="group-aria-expanded:hidden" />
          </SiteButton>
        </div>
      </div>
      <MobileMenu pathname={pathname} />
    </header>
  );
}

/** For a signed-in person: the log-in page leads on to the workspace that was open last, also offline. */
function OpenWorkspace({ className }: { className: string }) {
  return (
    <a
      href="/login"
      className={`${buttonStyle({ variant: 'primary', size: 'lg' })} signed-out:hidden ${className}`}
    >
      Open Loci
    </a>
  );
}

function MobileMenu({ pathname }: { pathname: string }) {
  return (
    <nav
      id="site-menu"
      aria-label="Menu"
      className="hidden border-t border-line px-4 pt-2 pb-5 max-md:data-open:block"
    >
      <ul>
        {[{ to: '/', label: 'Home' }, ...LINKS, { to: '/docs', label: 'Docs' }].map(({ to, label }) => (
          <li key={to}>
            <a
              href={to}
              aria-current={currentAt(pathname, to, true)}
              className="flex h-12 items-center border-b border-line text-base font-medium aria-[current=page]:text-primary"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
      <div className="mt-4 grid grid-cols-2 gap-2">
        <OpenWorkspace className="col-span-2" />
        <a
          href="/request-access"
          data-action="early-access"
          className={`${buttonStyle({ variant: 'secondary', size: 'lg', block: true })} signed-in:hidden`}
        >
          Sign in
        </a>
        <a
          href="/request-access"
          data-action="early-access"
          className={`${buttonStyle({ variant: 'primary', size: 'lg', block: true })} signed-in:hidden`}
        >
          Sign up
        </a>
      </div>
    </nav>
  );
}

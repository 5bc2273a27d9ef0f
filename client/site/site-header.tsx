// The public site's header (specification section 2): home, explore, pricing, blog, search, colour mode, and the two
// buttons that open the early-access modal. On phones a menu that closes on navigation.
import { type MouseEvent, useState } from 'react';
import { Link, NavLink, useLocation, useNavigate } from 'react-router';
import { openModal } from '#client/shell/modals.ts';
import { toggleColorMode } from '#client/shell/color-mode.ts';
import { useSiteShortcuts } from '#client/site/lazy-site-shortcuts.ts';
import { Logo } from '#client/site/logo.tsx';
import { openSiteSearch } from '#client/site/site-search-store.ts';
import { SiteButton } from '#client/site/site-button.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';

const LINKS = [
  { to: '/explore', label: 'Explore' },
  { to: '/pricing', label: 'Pricing' },
  { to: '/blog', label: 'Blog' },
] as const;

/** Sign in and Sign up open the modal; without JavaScript they lead to the page with the same form. */
function openEarlyAccess(event: MouseEvent): void {
  event.preventDefault();
  openModal('earlyAccess', {});
}

const linkStyle =
  'rounded-control px-3 py-2 text-sm font-medium text-ink-muted transition-colors duration-fast hover:text-ink aria-[current=page]:text-ink';

export function SiteHeader() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  // The menu belongs to the page it was opened on: a navigation closes it without an effect.
  const [menuAt, setMenuAt] = useState<string>();
  const menuOpen = menuAt === pathname;
  useSiteShortcuts(() => void navigate('/'));
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-canvas/85 backdrop-blur supports-[not(backdrop-filter:blur(0))]:bg-canvas">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 sm:px-6">
        <Link to="/" aria-label="Loci home" className="-mx-1 flex rounded-control px-1 py-2">
          <Logo />
        </Link>
        <nav aria-label="Main" className="ms-6 hidden md:block">
          <ul className="flex gap-1">
            {LINKS.map(({ to, label }) => (
              <li key={to}>
                <NavLink to={to} className={linkStyle}>
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ms-auto flex items-center gap-1 sm:gap-2">
          <SiteButton label="Search" onClick={openSiteSearch}>
            <SiteIcon name="search" />
          </SiteButton>
          <SiteButton label="Light or dark" onClick={toggleColorMode}>
            <SiteIcon name="moon" className="dark:hidden" />
            <SiteIcon name="sun" className="hidden dark:block" />
          </SiteButton>
          <a
            href="/request-access"
            onClick={openEarlyAccess}
            className={`${buttonStyle({ variant: 'ghost', size: 'lg' })} max-md:hidden`}
          >
            Sign in
          </a>
          <a
            href="/request-access"
            onClick={openEarlyAccess}
            className={`${buttonStyle({ variant: 'primary', size: 'lg' })} max-md:hidden`}
          >
            Sign up
          </a>
          <SiteButton
            label={menuOpen ? 'Close menu' : 'Open menu'}
            aria-expanded={menuOpen}
            aria-controls="site-menu"
            className="md:hidden"
            onClick={() => setMenuAt(menuOpen ? undefined : pathname)}
          >
            {menuOpen ? <SiteIcon name="x" /> : <SiteIcon name="menu" />}
          </SiteButton>
        </div>
      </div>
      <MobileMenu open={menuOpen} close={() => setMenuAt(undefined)} />
    </header>
  );
}

function MobileMenu({ open, close }: { open: boolean; close: () => void }) {
  const openForm = (event: MouseEvent): void => {
    close();
    openEarlyAccess(event);
  };
  return (
    <nav
      id="site-menu"
      aria-label="Menu"
      hidden={!open}
      className="border-t border-line px-4 pt-2 pb-5 md:hidden"
    >
      <ul>
        {[{ to: '/', label: 'Home' }, ...LINKS, { to: '/docs', label: 'Docs' }].map(({ to, label }) => (
          <li key={to}>
            <NavLink
              to={to}
              end
              onClick={close}
              className="flex h-12 items-center border-b border-line text-base font-medium aria-[current=page]:text-primary-text"
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
      <div className="mt-4 grid grid-cols-2 gap-2">
        <a
          href="/request-access"
          onClick={openForm}
          className={buttonStyle({ variant: 'secondary', size: 'lg', block: true })}
        >
          Sign in
        </a>
        <a
          href="/request-access"
          onClick={openForm}
          className={buttonStyle({ variant: 'primary', size: 'lg', block: true })}
        >
          Sign up
        </a>
      </div>
    </nav>
  );
}

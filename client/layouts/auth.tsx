// The layout of log-in, sign-up and password pages: the mark, one narrow column, nothing that leads away.
import { Link, Outlet } from 'react-router';
import { Logo } from '#client/site/logo.tsx';

export function AuthLayout() {
  return (
    <div className="flex min-h-dvh flex-col bg-sunken">
      <header className="px-4 py-5 sm:px-6">
        <Link to="/" aria-label="Loci home" className="inline-flex rounded-control py-1">
          <Logo />
        </Link>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center px-4 pb-24 outline-none"
      >
        <Outlet />
      </main>
    </div>
  );
}

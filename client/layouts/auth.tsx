// The layout of log-in, sign-up and password pages: the mark leads home, nothing else leads away.
import { Link } from 'react-router';
import { NarrowColumn } from '#client/layouts/narrow-column.tsx';
import { Logo } from '#client/site/logo.tsx';

export function AuthLayout() {
  const mark = (
    <Link to="/" aria-label="Loci home" className="inline-flex rounded-control py-1">
      <Logo />
    </Link>
  );
  return <NarrowColumn mark={mark} />;
}

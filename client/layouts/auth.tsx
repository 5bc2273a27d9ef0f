// The layout of log-in, sign-up and password pages: the logo links to the home page, and there are no other links.
import { NarrowColumn } from '#client/layouts/narrow-column.tsx';
import { Logo } from '#client/shell/logo.tsx';

export function AuthLayout() {
  const mark = (
    <a href="/" aria-label="Loci home" className="inline-flex rounded-control py-1">
      <Logo />
    </a>
  );
  return <NarrowColumn mark={mark} />;
}

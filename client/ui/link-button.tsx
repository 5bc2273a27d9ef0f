/**
 * A link that looks like a button. Inside the site it navigates without a page load; external links open with the safe
 * rel values.
 */
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { buttonStyle, type ButtonStyle } from '#client/ui/button-style.ts';

interface LinkButtonProps extends ButtonStyle {
  to: string;
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** `to` starting with a slash, hash or question mark is ours; anything else leaves the site. */
export function LinkButton({ to, icon, children, className, ...style }: LinkButtonProps) {
  const classes = clsx(buttonStyle(style), className);
  if (/^(\/(?!\/)|[#?])/.test(to)) {
    return (
      <Link to={to} className={classes}>
        {icon}
        {children}
      </Link>
    );
  }
  return (
    <a href={to} rel="noopener noreferrer" className={classes}>
      {icon}
      {children}
    </a>
  );
}

// Small building blocks that the public pages share: the column, a section's heading, a call to action, a grid of features.
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { SiteIconName } from '#shared/site/icon-names.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';

/** The page's column. */
export function Column({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={clsx('mx-auto w-full max-w-6xl px-4 sm:px-6', className)}>{children}</div>;
}

interface SectionHeadProps {
  title: string;
  description?: string;
  eyebrow?: string;
}

/** Heading of a part of a page. */
export function SectionHead({ title, description, eyebrow }: SectionHeadProps) {
  return (
    <div className="max-w-2xl">
      {eyebrow && <p className="text-sm font-medium text-primary">{eyebrow}</p>}
      <h2 className="mt-2 font-serif text-page">{title}</h2>
      {description && <p className="mt-4 text-base text-ink-muted">{description}</p>}
    </div>
  );
}

interface SiteLink {
  label: string;
  to: string;
}

/** Links as buttons, the first one primary. A link to request-access opens the modal instead where it can. */
export function LinkRow({ links, center = false }: { links: SiteLink[]; center?: boolean }) {
  return (
    <div className={clsx('flex flex-wrap gap-3', center && 'justify-center')}>
      {links.map(({ label, to }, index) => (
        <ActionLink key={to} to={to} label={label} variant={index === 0 ? 'primary' : 'secondary'} />
      ))}
    </div>
  );
}

interface ActionLinkProps extends SiteLink {
  variant: 'primary' | 'secondary';
  block?: boolean;
}

/** One link that looks like a button. */
export function ActionLink({ to, label, variant, block = false }: ActionLinkProps) {
  return (
    <a
      href={to}
      data-action={to === '/request-access' ? 'early-access' : undefined}
      className={buttonStyle({ variant, size: 'lg', block })}
    >
      {label}
    </a>
  );
}

interface Feature {
  title: string;
  description: string;
  icon: SiteIconName;
}

export function FeatureGrid({ features }: { features: Feature[] }) {
  return (
    <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
      {features.map(({ title, description, icon }) => (
        <li key={title}>
          <FeatureIcon name={icon} />
          <h3 className="mt-4 font-serif text-name">{title}</h3>
          <p className="mt-2 leading-6 text-ink-muted">{description}</p>
        </li>
      ))}
    </ul>
  );
}

interface CallToActionProps {
  title: string;
  description: string;
  links: SiteLink[];
}

/** The last word of a page. */
export function CallToAction({ title, description, links }: CallToActionProps) {
  return (
    <Column className="py-20 sm:py-24">
      <section className="rounded-dialog border border-line bg-sunk px-6 py-14 text-center sm:px-12">
        <h2 className="font-serif text-page">{title}</h2>
        <p className="mx-auto mt-4 max-w-xl text-base text-ink-muted">{description}</p>
        <div className="mt-8">
          <LinkRow links={links} center />
        </div>
      </section>
    </Column>
  );
}

/** Content files name the icon; a name that does not exist fails the build. */
function FeatureIcon({ name }: { name: SiteIconName }) {
  return (
    <span className="inline-flex size-9 items-center justify-center rounded-control bg-primary-soft text-primary">
      <SiteIcon name={name} className="size-4.5" />
    </span>
  );
}

/** What a picture of a screen is made of: where it is, who looks, and what a hand does before. */
import type { Page } from '@playwright/test';
import type { PageName } from '#shared/pages.ts';
import { DEMO } from '#server/seed.ts';

/**
 * Who looks: a visitor, the owner of the sample workspace, a person with an empty one, a person who just imported, one who
 * has only signed up, and one who runs the server.
 */
export const VIEWERS = ['visitor', 'demo', 'newcomer', 'importer', 'starter', 'staff'] as const;
export type Viewer = (typeof VIEWERS)[number];

/** Addresses that exist only once the sample is there. */
export interface Places {
  thread: string;
  publicThread: string;
  publicMemory: string;
  newcomer: string;
  importer: string;
  invite: string;
  /** Each picture needs a new one. */
  consent: () => Promise<string>;
  impersonation: () => Promise<string>;
}

/** One screen; `page` is the page of an address that only a running server knows. */
export type Screen = {
  name: string;
  viewer: Viewer;
  /** Words that must be on the screen before the picture is taken. */
  shows: string;
  /** Only where there is room for it. */
  wideOnly?: true;
  prepare?: (page: Page) => Promise<void>;
} & ({ path: string } | { path: (places: Places) => string | Promise<string>; page: PageName });

/** The home page of the sample workspace. */
export const HOME = `/${DEMO.slug}`;

/** Scrolls until a section of a settings page is below the bar. */
export async function scrollToSection(page: Page, name: string): Promise<void> {
  const section = page.getByRole('region', { name, exact: true });
  await section.waitFor();
  await section.evaluate((element) => {
    element.style.scrollMarginTop = '8rem';
    element.scrollIntoView({ block: 'start' });
  });
}

/** The docs show every screen that people see, and every mail that a server sends, in pictures that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { matchPage } from '#shared/page-match.ts';
import { PAGES, type PageName } from '#shared/pages.ts';
import { MAIL_KINDS } from '#server/providers/mail-kinds.ts';
import { mailPicture, PICTURES } from '../screenshots/pictures.ts';
import { SCREENS } from '../screenshots/screens.ts';

const DOCS = path.resolve(import.meta.dirname, '../../content/docs');
const docsPage = (name: string) => readFileSync(path.join(DOCS, `${name}.md`), 'utf8');
const files = new Set(readdirSync(PICTURES));
const picturesOn = (page: string) =>
  [...page.matchAll(/\]\(\/screenshots\/([\w-]+\.webp)\)/g)].map(([, file = '']) => file);

/** Pages without a picture of their own. */
const UNSEEN: Partial<Record<PageName, string>> = {
  onboarding: 'leads on to the next step at once',
  github_callback: 'leads on at once',
  google_callback: 'leads on at once',
  share_target: 'leads on to the form that saves, which has a picture',
  offline: 'is shown by the service worker without a network, and says one sentence',
};

describe('pictures of screens', () => {
  it('show every page that people see', () => {
    const shown = new Set(
      SCREENS.map((screen) =>
        'page' in screen
          ? screen.page
          : matchPage(new URL(screen.path, 'http://loci.invalid').pathname)?.name,
      ),
    );
    const names = Object.keys(PAGES).filter((name): name is PageName => name in PAGES);
    expect(names.filter((name) => !shown.has(name) && UNSEEN[name] === undefined)).toEqual([]);
    expect(names.filter((name) => shown.has(name) && UNSEEN[name] !== undefined)).toEqual([]);
  });

  it('are all on the page of screens, each once', () => {
    const expected = SCREENS.flatMap(({ name, wideOnly }) =>
      ['light', 'dark', ...(wideOnly ? [] : ['phone'])].map((look) => `${name}-${look}.webp`),
    );
    expect(picturesOn(docsPage('screens')).toSorted()).toEqual(expected.toSorted());
    expect(expected.filter((file) => !files.has(file))).toEqual([]);
  });
});

describe('pictures of mails', () => {
  it.each(MAIL_KINDS)('%s has a picture in light and dark, under a heading that its row leads to', (kind) => {
    const page = docsPage('mails');
    const section = page.split(/^## /m).find((part) => part.includes(`/${mailPicture(kind)}-light.webp`));
    if (section === undefined) throw new Error(`content/docs/mails.md shows no ${kind}`);
    const expected = ['light', 'dark'].map((look) => `${mailPicture(kind)}-${look}.webp`);
    expect(picturesOn(section)).toEqual(expected);
    expect(expected.filter((file) => !files.has(file))).toEqual([]);
    const [title = ''] = section.split('\n');
    const row = page.split('\n').find((line) => line.startsWith(`| [${title}](#`));
    const cells = row
      ?.split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    expect(cells, `the row of “${title}”`).toHaveLength(4);
    expect(cells?.filter((cell) => cell === '')).toEqual([]);
  });
});

it('no picture is left over', () => {
  const used = ['screens', 'mails'].flatMap((name) => picturesOn(docsPage(name)));
  expect([...files].filter((file) => !used.includes(file))).toEqual([]);
});

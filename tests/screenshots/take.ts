/**
 * `npm run screenshots`: pictures of each screen in light, dark and on a phone, and of each mail in light and dark, from a
 * real server with the sample workspace. Names on the command line choose. Writes client/public/screenshots; build first.
 */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { chromium, devices, type BrowserContextOptions, type Page } from '@playwright/test';
import sharp from 'sharp';
import { MAIL_KINDS } from '#server/providers/mail-kinds.ts';
import { CHROMIUM_ARGS, ensureChromium } from '../support/chromium.ts';
import { MAIL_STAFF } from '../support/every-mail.ts';
import { sitDown } from '../support/person.ts';
import { startServerProcess } from '../support/server-process.ts';
import { MAIL_WIDTH, mailPicture, PICTURES } from './pictures.ts';
import { VIEWERS, type Screen } from './screen.ts';
import { SCREENS } from './screens.ts';
import { furnish, type Stage } from './stage.ts';

const QUALITY = 62;
/** The first paint animates, and pictures of moving things are blurred. */
const SETTLE_MS = 400;
/** Pictures show the address of no real server. */
const SHOWN_ORIGIN = 'https://loci.example';

// A browser that calls itself headless is taken for a bot, which gets no error page.
const { userAgent } = devices['Desktop Chrome'];
const wide = { userAgent, viewport: { width: 1280, height: 800 } };
const { defaultBrowserType: _type, ...phone } = devices['Pixel 7'];

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { ...wide, colorScheme: 'light' },
  dark: { ...wide, colorScheme: 'dark' },
  phone: { ...phone, viewport: { width: 400, height: 800 }, deviceScaleFactor: 1.5, colorScheme: 'light' },
};

const chosen = process.argv.slice(2);
const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name);
const failures: string[] = [];

mkdirSync(PICTURES, { recursive: true });
// A webhook needs a server that may send; nothing happens of which the one in the pictures would tell.
const server = await startServerProcess({
  env: { STAFF_EMAILS: MAIL_STAFF, EGRESS: 'public', INBOUND_MAIL_DOMAIN: 'in.loci.example' },
});
const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGS] });
try {
  const stage = await furnish(server.url, browser);
  for (const look of Object.keys(LOOKS)) await takeScreens(look, stage);
  for (const look of ['light', 'dark'] as const) await takeMails(look, stage);
  await stage.close();
} finally {
  await browser.close();
  await server.dispose();
}
const bytes = readdirSync(PICTURES).reduce((sum, name) => sum + statSync(path.join(PICTURES, name)).size, 0);
console.info(`${readdirSync(PICTURES).length} pictures, ${(bytes / 1_000_000).toFixed(2)} MB`);
if (failures.length > 0) {
  console.error(`Not taken:\n${failures.join('\n')}`);
  process.exitCode = 1;
}

async function takeScreens(look: string, stage: Stage): Promise<void> {
  for (const viewer of VIEWERS) {
    const screens = SCREENS.filter((screen) => screen.viewer === viewer && isChosen(screen.name));
    if (screens.length === 0) continue;
    const context = await browser.newContext({ ...LOOKS[look], locale: 'en-GB', reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    const token = stage.tokens[viewer];
    if (token !== undefined) await sitDown(context, server.url, { token });
    for (const screen of screens) {
      if (screen.wideOnly && look === 'phone') continue;
      const page = await context.newPage();
      try {
        await takeScreen(page, screen, { look, stage });
      } catch (failure) {
        failures.push(`${screen.name}-${look}: ${String(failure).split('\n')[0]}`);
      }
      await page.close();
    }
    await context.close();
  }
}

async function takeScreen(
  page: Page,
  screen: Screen,
  { look, stage }: { look: string; stage: Stage },
): Promise<void> {
  const address = typeof screen.path === 'string' ? screen.path : await screen.path(stage.places);
  await page.goto(server.url + address);
  await page.getByText(screen.shows).filter({ visible: true }).first().waitFor();
  await screen.prepare?.(page);
  await page.waitForTimeout(SETTLE_MS);
  await keep(`${screen.name}-${look}`, await page.screenshot({ animations: 'disabled', caret: 'hide' }));
}

/** As a mail program shows them: the HTML of the mail, as wide as most give it room for. */
async function takeMails(look: 'light' | 'dark', { mails }: Stage): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: MAIL_WIDTH, height: 100 },
    colorScheme: look,
    javaScriptEnabled: false,
  });
  for (const kind of MAIL_KINDS.filter((each) => isChosen(mailPicture(each)))) {
    await page.setContent(mails[kind].html.replaceAll(server.url, SHOWN_ORIGIN));
    await keep(`${mailPicture(kind)}-${look}`, await page.screenshot({ fullPage: true }));
  }
  await page.close();
}

async function keep(name: string, png: Buffer): Promise<void> {
  const file = path.join(PICTURES, `${name}.webp`);
  const { width, height } = await sharp(png).webp({ quality: QUALITY, effort: 6 }).toFile(file);
  console.info(`${name}.webp ${width}×${height} ${Math.round(statSync(file).size / 1024)} KB`);
}

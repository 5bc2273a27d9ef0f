/**
 * `npm run screenshots`: pictures of each screen in light, dark and on a phone, from a real server with the sample
 * workspace. Names on the command line choose screens. Writes client/public/screenshots; build first.
 */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { chromium, devices, type Browser, type BrowserContextOptions } from '@playwright/test';
import sharp from 'sharp';
import { COOKIES } from '#shared/constants.ts';
import { DEMO } from '#server/seed.ts';
import { CHROMIUM_ARGS, ensureChromium } from '../support/chromium.ts';
import { apiAt } from '../support/person.ts';
import { startServerProcess } from '../support/server-process.ts';
import { SCREENS, type Screen } from './screens.ts';

const OUT = path.resolve(import.meta.dirname, '../../client/public/screenshots');
const QUALITY = 80;
/** The first paint animates, and pictures of moving things are blurred. */
const SETTLE_MS = 400;

const wide = { viewport: { width: 1280, height: 800 } };
const { defaultBrowserType: _type, ...phone } = devices['Pixel 7'];

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { ...wide, colorScheme: 'light' },
  dark: { ...wide, colorScheme: 'dark' },
  phone: { ...phone, deviceScaleFactor: 2, colorScheme: 'light' },
};

const chosen = process.argv.slice(2);
const screens = SCREENS.filter(({ name }) => chosen.length === 0 || chosen.includes(name));

mkdirSync(OUT, { recursive: true });
const server = await startServerProcess();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGS] });
try {
  const { result } = await apiAt(server.url)('auth.login', {
    body: { email: DEMO.email, password: DEMO.password },
  });
  for (const look of Object.keys(LOOKS)) await takeAll(browser, look, result.token);
} finally {
  await browser.close();
  await server.dispose();
}

async function takeAll(inside: Browser, look: string, token: string): Promise<void> {
  for (const signedIn of [false, true]) {
    const context = await inside.newContext({ ...LOOKS[look], locale: 'en-GB', reducedMotion: 'reduce' });
    if (signedIn)
      await context.addCookies([{ name: COOKIES.session, value: token, url: server.url, sameSite: 'Lax' }]);
    const page = await context.newPage();
    for (const screen of screens.filter((each) => each.signedIn === signedIn)) {
      await page.goto(server.url + screen.path);
      await page.getByText(screen.shows).filter({ visible: true }).first().waitFor();
      await screen.prepare?.(page);
      await page.waitForTimeout(SETTLE_MS);
      await keep(screen, look, await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    }
    await context.close();
  }
}

async function keep({ name }: Screen, look: string, png: Buffer): Promise<void> {
  const file = path.join(OUT, `${name}-${look}.webp`);
  const { width, height } = await sharp(png).webp({ quality: QUALITY, effort: 6 }).toFile(file);
  console.info(`${name}-${look}.webp ${width}×${height} ${Math.round(statSync(file).size / 1024)} KB`);
}

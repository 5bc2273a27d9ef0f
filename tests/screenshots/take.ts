/**
 * `npm run screenshots`: pictures of each screen in light, dark and on a phone, from a real server with the sample
 * workspace. Names on the command line choose screens. Writes client/public/screenshots; build first.
 */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { chromium, devices, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import sharp from 'sharp';
import { DEMO } from '#server/seed.ts';
import { CHROMIUM_ARGS, ensureChromium } from '../support/chromium.ts';
import { apiAt, joinServer, sitDown, uploadArchive } from '../support/person.ts';
import { startServerProcess } from '../support/server-process.ts';
import { filesBelow, zipOf } from '../support/zip.ts';
import { SCREENS, type Places, type Screen, type Viewer } from './screens.ts';

const OUT = path.resolve(import.meta.dirname, '../../client/public/screenshots');
const NOTES = path.resolve(import.meta.dirname, '../fixtures/notes');
const QUALITY = 62;
const SEEDS = `What to order before the good ones are gone:

- **Beans**: the climbing ones did best on the north wall.
- **Tomatoes**: two plants fewer than last year, and only the early kind.
- Marigolds along the path, because the snails left them alone.`;
/** The first paint animates, and pictures of moving things are blurred. */
const SETTLE_MS = 400;

// A browser that calls itself headless is taken for a bot, which gets no error page.
const { userAgent } = devices['Desktop Chrome'];
const wide = { userAgent, viewport: { width: 1280, height: 800 } };
const { defaultBrowserType: _type, ...phone } = devices['Pixel 7'];

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { ...wide, colorScheme: 'light' },
  dark: { ...wide, colorScheme: 'dark' },
  phone: { ...phone, viewport: { width: 400, height: 800 }, deviceScaleFactor: 1.5, colorScheme: 'light' },
};

type Tokens = Readonly<Record<Viewer, string | undefined>>;

const chosen = process.argv.slice(2);
const screens = SCREENS.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
const failures: string[] = [];

mkdirSync(OUT, { recursive: true });
const server = await startServerProcess();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGS] });
try {
  const { tokens, places } = await furnish(server.url);
  for (const look of Object.keys(LOOKS)) await takeAll(browser, look, tokens, places);
} finally {
  await browser.close();
  await server.dispose();
}
const bytes = readdirSync(OUT).reduce((sum, name) => sum + statSync(path.join(OUT, name)).size, 0);
console.info(`${readdirSync(OUT).length} pictures, ${(bytes / 1_000_000).toFixed(2)} MB`);
if (failures.length > 0) {
  console.error(`Not taken:\n${failures.join('\n')}`);
  process.exitCode = 1;
}

/** People, and a public thread, which the sample does not have. */
async function furnish(url: string): Promise<{ tokens: Tokens; places: Places }> {
  const { email, password, slug } = DEMO;
  const demo = (await apiAt(url)('auth.login', { body: { email, password } })).result.token;
  const api = apiAt(url, demo);
  const workspaceId = (await api('workspace.get_by_slug', { params: { slug } })).result.id;
  const { result: threads } = await api('thread.list', { params: { workspaceId } });
  const first = threads.find(({ name }) => name === 'Reading for the train');
  if (!first) throw new Error('The sample has no such thread');
  const published = await api('thread.create', {
    body: { workspaceId, name: 'Seeds for next spring', content: SEEDS },
  });
  await api('thread.update', {
    params: { workspaceId, id: published.result.id },
    body: { visibility: 'public' },
  });
  const person = await joinServer(url, 'ada');
  const importer = await joinServer(url, 'grace');
  const id = await uploadArchive(url, importer, await zipOf(filesBelow(NOTES)));
  for (let done = false; !done;) {
    const params = { workspaceId: importer.workspaceId, id };
    done = (await importer.api('import.get', { params })).result.status === 'completed';
  }
  return {
    tokens: { visitor: undefined, demo, newcomer: person.token, importer: importer.token },
    places: {
      thread: `/${slug}/threads/${first.id}`,
      publicThread: `/${slug}/threads/p/${published.result.id}`,
      newcomer: person.slug,
      importer: importer.slug,
    },
  };
}

async function takeAll(inside: Browser, look: string, tokens: Tokens, places: Places): Promise<void> {
  for (const viewer of ['visitor', 'demo', 'newcomer', 'importer'] as const) {
    const context = await inside.newContext({ ...LOOKS[look], locale: 'en-GB', reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    const token = tokens[viewer];
    if (token !== undefined) await sitDown(context, server.url, { token });
    for (const screen of screens.filter((each) => each.viewer === viewer)) {
      if (screen.wideOnly && look === 'phone') continue;
      const page = await context.newPage();
      try {
        await takeOne(page, screen, { look, places });
      } catch (failure) {
        failures.push(`${screen.name}-${look}: ${String(failure).split('\n')[0]}`);
      }
      await page.close();
    }
    await context.close();
  }
}

interface Taking {
  look: string;
  places: Places;
}

async function takeOne(page: Page, screen: Screen, { look, places }: Taking): Promise<void> {
  const address = typeof screen.path === 'string' ? screen.path : screen.path(places);
  await page.goto(server.url + address);
  await page.getByText(screen.shows).filter({ visible: true }).first().waitFor();
  await screen.prepare?.(page);
  await page.waitForTimeout(SETTLE_MS);
  await keep(screen, look, await page.screenshot({ animations: 'disabled', caret: 'hide' }));
}

async function keep({ name }: Screen, look: string, png: Buffer): Promise<void> {
  const file = path.join(OUT, `${name}-${look}.webp`);
  const { width, height } = await sharp(png).webp({ quality: QUALITY, effort: 6 }).toFile(file);
  console.info(`${name}-${look}.webp ${width}×${height} ${Math.round(statSync(file).size / 1024)} KB`);
}

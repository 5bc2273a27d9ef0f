/**
 * What is wrong with the whole screen as it stands, as readable lines: accessibility, contrast in dark, and on a phone
 * sizes and what is cut off. For components alone see support/axe.ts.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';
import { IS_WHOLE } from '../../support/whole-run.ts';
import type { Look } from './looks.ts';

/** The rules that screens keep. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  /** Only what this file calls. */
  var axe:
    | {
        run(options: RunOptions): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      }
    | undefined;
}

/** Which rules; all that screens keep, by default. */
type Rules = { type: 'tag' | 'rule'; values: string[] };

/** The rule that depends on the colours. */
const CONTRAST: Rules = { type: 'rule', values: ['color-contrast'] };

/** Runs axe in the page as it is; evaluated by the debugger, so no policy of the page forbids it. */
export async function axeFaults(
  page: Page,
  runOnly: Rules = { type: 'tag', values: TAGS },
): Promise<string[]> {
  await atRest(page);
  if (!(await page.evaluate(() => globalThis.axe !== undefined))) await page.evaluate(axeSource);
  const violations = await page.evaluate(
    async (options) =>
      (await globalThis.axe?.run(options))?.violations ?? [{ id: 'axe did not run', nodes: [] }],
    { runOnly, resultTypes: ['violations' as const] },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.length === 0 ? [id] : nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}

/** Nothing on a screen moves for as long. */
const REST_LIMIT_MS = 30_000;

/**
 * Half-faded colours would be measured as they are, and a menu on its way would be cut off. The end of one transition
 * can begin another, where a child inherits what its parent fades.
 */
async function atRest(page: Page): Promise<void> {
  const restless = await page.evaluate(async (limitMs) => {
    const limit = new Promise<void>((resolve) => setTimeout(resolve, limitMs));
    const end = performance.now() + limitMs;
    for (;;) {
      const moving = document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
        .filter(({ playState }) => playState === 'running');
      if (moving.length === 0) return [];
      if (performance.now() > end)
        return moving.map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target?.outerHTML : ''));
      await Promise.race([
        limit,
        Promise.all(moving.map((animation) => animation.finished.catch(() => undefined))),
      ]);
    }
  }, REST_LIMIT_MS);
  if (restless.length > 0) throw new Error(`still moving: ${restless.join(' ').slice(0, 500)}`);
}

/** Until the page has taken the colours that the device asks for. */
async function colored(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const chosen = localStorage.getItem('loci-color-mode');
    const isDark =
      chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    return document.documentElement.classList.contains('dark') === isDark;
  });
}

/** Every rule, in the colours that the page has now; empty when nothing is wrong. */
export async function screenFaults(page: Page): Promise<string[]> {
  await colored(page);
  return axeFaults(page);
}

/**
 * What a look finds. Light: every rule, and then the contrast in dark. Phone: the sizes of what is pressed and what is
 * wider than the screen. In the whole run every look checks every rule in its own colours.
 */
export async function lookFaults(page: Page, look: Look): Promise<string[]> {
  const narrow = look === 'phone' ? await cutOff(page) : [];
  if (IS_WHOLE) return [...narrow, ...(await screenFaults(page))];
  if (look === 'phone')
    return [...narrow, ...(await axeFaults(page, { type: 'rule', values: ['target-size'] }))];
  return [...(await screenFaults(page)), ...(await faultsInDark(page))];
}

async function faultsInDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await colored(page);
  const faults = await axeFaults(page, CONTRAST);
  await page.emulateMedia({ colorScheme: 'light' });
  await colored(page);
  return faults.map((fault) => `in dark, ${fault}`);
}

/** What makes the page scroll sideways, and dialogs and menus that reach beyond the screen. */
export async function cutOff(page: Page): Promise<string[]> {
  await atRest(page);
  return page.evaluate(() => {
    const edge = document.documentElement.clientWidth;
    const isBeyond = (element: Element): boolean => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (right > edge + 1 || left < -1);
    };
    const scrolls = document.documentElement.scrollWidth > edge ? 'body *' : undefined;
    return [scrolls, '[role=dialog], [role=alertdialog], [role=menu]']
      .flatMap((selector) => (selector ? [...document.querySelectorAll(selector)] : []))
      .filter(isBeyond)
      .map((element) => `cut off: ${element.outerHTML.slice(0, 120)}`);
  });
}

/** Nothing is wrong to see on the screen; a picture of it goes to the folder in SCREENSHOTS, where one is named. */
export async function lookAt(page: Page, name: string, look: Look): Promise<void> {
  expect([name, ...(await lookFaults(page, look))]).toEqual([name]);
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}-${look}.png`, fullPage: true });
}

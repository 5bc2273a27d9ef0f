/** Accessibility faults of the whole screen as it stands, as readable lines. For components alone see support/axe.ts. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The rules that screens keep. */
export const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Empty when nothing is wrong. Waits until the page has taken the colours that the device asks for, and until nothing
 * moves: half-faded colours would be measured as they are.
 */
export async function screenFaults(page: Page): Promise<string[]> {
  await page.waitForFunction(() => {
    const chosen = localStorage.getItem('loci-color-mode');
    const isDark =
      chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    return document.documentElement.classList.contains('dark') === isDark;
  });
  await page.evaluate(async () => {
    const moving = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.all(moving.map((animation) => animation.finished.catch(() => undefined)));
  });
  const { violations } = await new AxeBuilder({ page }).withTags(AXE_TAGS).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
}

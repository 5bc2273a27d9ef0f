/** Accessibility faults of what is on the page now, as readable lines. */
import axe, { type RunOptions } from 'axe-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules about whole pages, which do not apply to a single component. */
const PAGE_RULES = [
  'region',
  'landmark-one-main',
  'page-has-heading-one',
  'document-title',
  'html-has-lang',
  'bypass',
];

/**
 * Every rule in light, and in dark the one that depends on colours. Empty when nothing is wrong; each line names the
 * rule, the element and why.
 */
export async function accessibilityFaults(within: Element = document.body): Promise<string[]> {
  const light = await faults(within, {
    runOnly: { type: 'tag', values: TAGS },
    rules: Object.fromEntries(PAGE_RULES.map((rule) => [rule, { enabled: false }])),
  });
  const { classList } = document.documentElement;
  if (classList.contains('dark')) return light;
  classList.add('dark');
  try {
    const dark = await faults(within, { runOnly: { type: 'rule', values: ['color-contrast'] } });
    return [...light, ...dark.map((line) => `in dark, ${line}`)];
  } finally {
    classList.remove('dark');
    await settle();
  }
}

async function faults(within: Element, options: RunOptions): Promise<string[]> {
  await settle();
  const { violations } = await axe.run(within, { ...options, resultTypes: ['violations'] });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      (node) => `${id}: ${node.html.slice(0, 160)} (${node.any[0]?.message ?? node.failureSummary ?? ''})`,
    ),
  );
}

/**
 * Half-faded colours would be measured as they are: waits until nothing moves any more. The end of one transition can
 * begin another, where a child inherits what its parent fades.
 */
async function settle(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
      .filter(({ playState }) => playState === 'running');
    if (moving.length === 0) return;
    await Promise.all(moving.map((animation) => animation.finished.catch(() => undefined)));
  }
}

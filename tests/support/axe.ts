/** Accessibility faults of what is on the page now, as readable lines. */
import axe from 'axe-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules about whole pages, which a component alone cannot keep. */
const PAGE_RULES = [
  'region',
  'landmark-one-main',
  'page-has-heading-one',
  'document-title',
  'html-has-lang',
  'bypass',
];

/** Empty when nothing is wrong; each line names the rule, the element and why. */
export async function accessibilityFaults(within: Element = document.body): Promise<string[]> {
  await settle();
  const { violations } = await axe.run(within, {
    runOnly: { type: 'tag', values: TAGS },
    rules: Object.fromEntries(PAGE_RULES.map((rule) => [rule, { enabled: false }])),
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      (node) => `${id}: ${node.html.slice(0, 160)} (${node.any[0]?.message ?? node.failureSummary ?? ''})`,
    ),
  );
}

/** Half-faded colours would be measured as they are: waits until nothing moves any more. */
async function settle(): Promise<void> {
  const moving = document
    .getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity);
  await Promise.all(moving.map((animation) => animation.finished.catch(() => undefined)));
}

// The size of rendered Markdown. Apart from the parser, because pages that receive trees count them without it.
import type { BodyNode } from './body-node.ts';

/** How many elements a tree has. */
export function countElements(nodes: readonly BodyNode[]): number {
  let count = 0;
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    const [, , ...children] = node;
    count += 1 + countElements(children);
  }
  return count;
}

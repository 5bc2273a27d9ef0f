// The shape of rendered Markdown: plain data that both sides draw element by element, so that no raw HTML exists.

/** A piece of rendered Markdown: text, or an element with its attributes and children. */
export type BodyNode = string | [tag: string, attributes: Record<string, string>, ...children: BodyNode[]];

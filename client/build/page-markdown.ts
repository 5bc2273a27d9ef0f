// The Markdown form of pages that are written as data: what a reader sees of them, in order, without their looks.
// Knows the words that the data of pages uses for headings, texts and links, and no single page.

type Data = Readonly<Record<string, unknown>>;

/** Presentation, ids, interactive parts, and metadata for search engines. */
const LEFT_OUT: ReadonlySet<string> = new Set(['seo', 'id', 'icon', 'picture', 'demo', 'badge', 'eyebrow']);
const HEADINGS = ['title', 'name', 'question'] as const;
const TEXTS = ['description', 'answer'] as const;

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (data: Data, keys: readonly string[]): string | undefined =>
  keys.map((key) => data[key]).find((value): value is string => typeof value === 'string');

function linkOf(data: Data): string | undefined {
  const { label, to } = data;
  return typeof label === 'string' && typeof to === 'string' ? `[${label}](${to})` : undefined;
}

function priceOf({ price, period }: Data): string | undefined {
  if (typeof price !== 'string') return undefined;
  return typeof period === 'string' ? `${price} ${period}` : price;
}

function ofList(list: readonly unknown[]): string[] {
  const lines = list.map((item) =>
    isData(item) ? linkOf(item) : typeof item === 'string' ? item : undefined,
  );
  if (lines.every((line) => line !== undefined)) {
    return lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join('\n')];
  }
  return list.flatMap((item) => blocksOf(item));
}

function blocksOf(value: unknown): string[] {
  if (Array.isArray(value)) return ofList(value);
  if (!isData(value)) return [];
  const link = linkOf(value);
  if (link !== undefined) return [link];
  const heading = textOf(value, HEADINGS);
  const own = [heading && `## ${heading}`, priceOf(value), textOf(value, TEXTS)];
  const rest = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  return [
    ...own.filter((block): block is string => block !== undefined && block !== ''),
    ...rest.flatMap(([, part]) => blocksOf(part)),
  ];
}

/** The body of a page below its title. */
export function pageMarkdown(data: unknown): string {
  return `${blocksOf(data).join('\n\n')}\n`;
}

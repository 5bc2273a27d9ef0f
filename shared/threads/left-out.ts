// Removes passages from an answer. The numbers of the sources stay, so that the rest of the text refers to the same ones.
const LEFT_OUT = '*A passage was left out.*';
const MARK = /\\\[(\d{1,3})\\\]/g;
const MARKS_ALONE = /^(?:\s*\\\[\d{1,3}\\\])+\s*$/;

/** The answer without the paragraphs that refer to one of these sources. */
export function withoutPassages(content: string, numbers: ReadonlySet<number>): string {
  return blocksOf(content)
    .map((block) => (refersTo(block, numbers) ? LEFT_OUT : block))
    .join('\n\n');
}

function refersTo(block: string, numbers: ReadonlySet<number>): boolean {
  return [...block.matchAll(MARK)].some(([, number]) => numbers.has(Number(number)));
}

/** Paragraphs, quotes and lists; code is grouped with the marks that follow it. */
function blocksOf(content: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence = '';
  const end = () => {
    const block = lines.join('\n');
    lines = [];
    if (block.trim() === '') return;
    const before = blocks.at(-1);
    if (before !== undefined && MARKS_ALONE.test(block)) blocks[blocks.length - 1] = `${before}\n\n${block}`;
    else blocks.push(block);
  };
  for (const line of content.split('\n')) {
    const ticks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') fence = ticks;
    else if (ticks.startsWith(fence) && line.trim() === ticks) fence = '';
    if (fence === '' && line.trim() === '') end();
    else lines.push(line);
  }
  end();
  return blocks;
}

/** Lines and sizes of what is read and written, with the fonts of the product. */
import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { MarkdownField } from '#client/editor/markdown-field.tsx';
import { ReadingText } from '#client/memories/reading-text.tsx';
import '#client/fonts/fonts.css';

/** From the first page of Walden. */
const PARAGRAPH =
  'When I wrote the following pages, or rather the bulk of them, I lived alone, in the woods, a mile from any neighbor, in a ' +
  'house which I had built myself, on the shore of Walden Pond, in Concord, Massachusetts, and earned my living by the labor ' +
  'of my hands only. I lived there two years and two months. At present I am a sojourner in civilized life again. I should ' +
  'not obtrude my affairs so much on the notice of my readers if very particular inquiries had not been made by my townsmen ' +
  'concerning my mode of life, which some would call impertinent, though they do not appear to me at all impertinent, but, ' +
  'considering the circumstances, very natural and pertinent.';

/** How many characters each line of a text has, as it is drawn. */
function lineLengths(text: Text): number[] {
  const lengths = new Map<number, number>();
  const range = document.createRange();
  for (let at = 0; at < text.length; at += 1) {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const { bottom } = range.getBoundingClientRect();
    lengths.set(bottom, (lengths.get(bottom) ?? 0) + 1);
  }
  return [...lengths.values()];
}

function Field({ value }: { value: string }) {
  return (
    <MarkdownField
      label="Text"
      describedBy=""
      focused={false}
      draftKey="measure"
      value={value}
      placeholder=""
      onChange={() => undefined}
      onBlur={() => undefined}
      findTitles={() => []}
      takeFiles={async () => ''}
      filesOf={() => []}
      onFailure={() => undefined}
    />
  );
}

it('has 60 to 75 characters on a line on average, and is as wide while it is written', async () => {
  expect(await document.fonts.load('18.5px "Newsreader Variable"')).not.toEqual([]);
  const screen = await render(
    <>
      <ReadingText source={PARAGRAPH} />
      <Field value={PARAGRAPH} />
    </>,
  );
  const paragraph = screen.getByText(/^When I wrote/).first();
  await expect.element(paragraph).toBeVisible();
  const text = paragraph.element().firstChild;
  expect(text).toBeInstanceOf(Text);
  // The last line is as long as what is left.
  const lines = text instanceof Text ? lineLengths(text).slice(0, -1) : [];
  const average = lines.reduce((sum, length) => sum + length, 0) / lines.length;
  expect(lines.length).toBeGreaterThan(6);
  expect(average).toBeGreaterThanOrEqual(60);
  expect(average).toBeLessThanOrEqual(75);
  const width = paragraph.element().clientWidth;
  expect(screen.getByRole('textbox', { name: 'Text' }).element().clientWidth).toBe(width);
});

it('shows code at one size, within a line and as a block, read and written', async () => {
  const source = 'Run `npm ci` first:\n\n```sh\nnpm start\n```';
  const screen = await render(
    <>
      <ReadingText source={source} />
      <Field value={source} />
    </>,
  );
  await expect.element(screen.getByRole('textbox', { name: 'Text' })).toHaveAttribute('contenteditable');
  for (const words of ['npm ci', 'npm start']) {
    await expect.poll(() => screen.getByText(words, { exact: true }).elements().length).toBe(2);
    for (const element of screen.getByText(words, { exact: true }).elements())
      expect(getComputedStyle(element).fontSize).toBe('13.5px');
  }
});

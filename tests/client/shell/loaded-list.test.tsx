/** A list that the server has, while it is loaded. */
import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import type { Loaded } from '#client/shell/use-loaded.ts';

interface Tides {
  name: string;
  usual?: number;
}

const page = (known: Loaded<number>, { name, usual = 0 }: Tides) => (
  <div className="flex flex-col gap-4">
    <LoadedList known={known} what={name} usual={usual} onRetry={() => undefined}>
      {(pixels) => pixels > 0 && <div style={{ height: pixels }}>{pixels} pixels</div>}
    </LoadedList>
    <p>Below</p>
  </div>
);
const top = (element: Element) => element.getBoundingClientRect().top;

it.each([300, 20, 0])('that was %i pixels high leaves what is below it in its place', async (height) => {
  const tides = { name: `the tides of ${height}` };
  const screen = await render(page({ state: 'here', value: height }, tides));
  const place = () => top(screen.getByText('Below').element());
  const before = place();
  await screen.rerender(page({ state: 'loading' }, tides));
  expect(place()).toBe(before);
});

it.each([300, 20, 0])('that was never here has the place of %i pixels that is usual', async (usual) => {
  const tides = { name: `the first tides of ${usual}`, usual };
  const screen = await render(page({ state: 'loading' }, tides));
  const place = () => top(screen.getByText('Below').element());
  const before = place();
  expect(screen.container.checkVisibility()).toBe(true);
  if (usual > 0)
    expect(screen.getByText(`${usual} pixels`).element().checkVisibility({ visibilityProperty: true })).toBe(
      false,
    );
  await screen.rerender(page({ state: 'here', value: usual }, tides));
  expect(place()).toBe(before);
});

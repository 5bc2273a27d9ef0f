/** A list that the server has, while it is loaded again. */
import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import type { Loaded } from '#client/shell/use-loaded.ts';

it.each([300, 0])('that was %i pixels high leaves what is below it in its place', async (height) => {
  const page = (known: Loaded<number>) => (
    <div className="flex flex-col gap-4">
      <LoadedList known={known} what="the tides" onRetry={() => undefined}>
        {(pixels) => pixels > 0 && <div style={{ height: pixels }} />}
      </LoadedList>
      <p>Below</p>
    </div>
  );
  const screen = await render(page({ state: 'here', value: height }));
  const place = () => screen.getByText('Below').element().getBoundingClientRect().top;
  const before = place();
  await screen.rerender(page({ state: 'loading' }));
  expect(place()).toBe(before);
});

/** The icon of a site: one download for all links to it, and the letter where there is none. */
import { afterEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { newId } from '#shared/ids.ts';
import { useSiteIcon } from '#client/replica/use-site-icon.ts';

const WEBP = new Blob(['RIFF'], { type: 'image/webp' });

afterEach(() => vi.restoreAllMocks());

function Link({ favicon }: { favicon: unknown }) {
  const head = { id: newId('memory'), workspaceId: newId('workspace'), metadata: { favicon } };
  return <p>{useSiteIcon(head) ?? 'letter'}</p>;
}

const answering = (...answers: (() => Response)[]) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    const answer = answers.shift();
    if (!answer) throw new TypeError('Failed to fetch');
    return answer();
  });

const picture = () => new Response(WEBP, { headers: { 'content-type': 'image/webp' } });

it('is loaded once for several links, and is there at once for a later one', async () => {
  const fetched = answering(picture);
  const favicon = 'https://one.example/favicon.ico';
  const screen = await render([1, 2].map((key) => <Link key={key} favicon={favicon} />));
  const shown = () => [...screen.container.querySelectorAll('p')].map((each) => each.textContent);
  await expect.poll(shown).toEqual(Array(2).fill('data:image/webp;base64,UklGRg=='));
  await screen.rerender(<Link favicon={favicon} />);
  expect(shown()).toEqual(['data:image/webp;base64,UklGRg==']);
  expect(fetched).toHaveBeenCalledOnce();
});

it('is asked for once where a site has none, and again where it could not be had', async () => {
  const fetched = answering(
    () => new Response(null, { status: 204 }),
    () => new Response(null, { status: 503 }),
    picture,
  );
  const links = (key: number) => (
    <div key={key}>
      <Link favicon="https://none.example/favicon.ico" />
      <Link favicon="https://busy.example/favicon.ico" />
      <Link favicon={undefined} />
    </div>
  );
  const screen = await render(links(1));
  await expect.poll(() => fetched.mock.calls.length).toBe(2);
  await screen.rerender(links(2));
  await expect.element(screen.getByText(/^data:/)).toBeVisible();
  expect(screen.getByText('letter').elements()).toHaveLength(2);
  expect(fetched).toHaveBeenCalledTimes(3);
});

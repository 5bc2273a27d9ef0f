/**
 * A browser extension that was written for this kind of API and knows nothing of this product: it takes the session and the
 * workspace from the cookies of the site, saves the page with one request and its note with another.
 */
import { COOKIES } from '#shared/constants.ts';
import { listMemories, sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { expect, test } from './support/stories.ts';

test('an extension saves a page with what it finds in the cookies of the site @long', async ({
  page,
  server,
}) => {
  const { url } = server;
  const owner = takePerson(server);
  await sitDown(page.context(), url, owner);
  await page.goto(`/${owner.slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  const cookies = await page.context().cookies(url);
  const valueOf = (name: string) => cookies.find((cookie) => cookie.name === name)?.value ?? '';
  const [token, workspaceId] = [valueOf(COOKIES.session), valueOf(COOKIES.workspace)];
  const send = async (method: string, path: string, body: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
      },
      body: JSON.stringify(body),
    });
    const answer: { result?: { id: string }; error?: { detail: string } } = await response.json();
    return answer;
  };
  const saved = {
    workspaceId,
    url: 'https://example.org/an-article',
    title: 'An article about harbours',
    description: 'Found while reading',
    tags: ['Reading'],
    origin: 'browser_extension',
    notes: '',
  };
  const { result } = await send('POST', '/v1/memories', saved);
  const path = `/v1/memories/${workspaceId}/${result?.id}`;
  expect((await send('PATCH', path, { notes: 'Read the second half again' })).result?.id).toBe(result?.id);
  await expect(page.getByRole('link', { name: 'An article about harbours' })).toBeVisible();

  const { error } = await send('POST', '/v1/memories', { ...saved, url: 'chrome://settings' });
  expect(error?.detail).toBe('url: Must be an http or https address');

  expect(workspaceId).toBe(owner.workspaceId);
  const [row] = await listMemories(owner);
  expect(row).toMatchObject({
    id: result?.id,
    origin: 'browser_extension',
    notes: 'Read the second half again',
    type: 'link',
  });
});

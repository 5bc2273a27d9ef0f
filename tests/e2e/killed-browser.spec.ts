/**
 * Half a thought and a browser that is killed: what was typed and saved nowhere is there when it starts again.
 * In a file of its own, since a browser that is killed leaves no trace behind to be written.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { AUTOSAVE_MS } from '#client/memories/autosave.ts';
import { newId } from '#shared/ids.ts';
import { BrowserProfile } from '../support/browser-profile.ts';
import { joinServer, sitDown } from '../support/person.ts';
import { storedRows } from './support/stored-rows.ts';
import { expect, test } from './support/stories.ts';

test.use({ trace: 'off' });

/** Lets no text be saved by itself, so that there is nothing but what was kept while typing; runs in the page. */
function holdAutosave(pause: number): void {
  const { setTimeout: begin } = globalThis;
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms?: number) => (ms === pause ? 0 : begin(run, ms)),
  });
}

const fields = {
  capture: (page: Page) => page.getByRole('textbox', { name: 'Save a memory' }),
  notes: (page: Page) => page.getByRole('dialog').getByRole('textbox', { name: 'Notes in Markdown' }),
  message: (page: Page) => page.getByRole('textbox', { name: 'Message' }),
};

test('text in the capture field, a note and a message survives the killing of the browser', async ({
  server,
}) => {
  test.setTimeout(240_000);
  const ada = await joinServer(server.url, `ada-${newId('user').slice(-6)}`);
  const { workspaceId } = ada;
  const [memoryId, threadId] = [newId('memory'), newId('thread')];
  await ada.api('memory.create', {
    body: { workspaceId, id: memoryId, title: 'Begun', notes: 'As it was', origin: 'manual_entry' },
  });
  await ada.api('thread.create', { body: { workspaceId, id: threadId, name: 'A talk' } });
  const home = `${server.url}/${ada.slug}`;
  const places = {
    capture: home,
    notes: `${home}?memory=${memoryId}`,
    message: `${home}/threads/${threadId}`,
  };
  const profile = new BrowserProfile();
  const sit = async (): Promise<BrowserContext> => {
    const context = await profile.context();
    await sitDown(context, server.url, ada);
    return context;
  };

  try {
    const before = await sit();
    await before.addInitScript(holdAutosave, AUTOSAVE_MS);
    const capture = await profile.open(places.capture);
    await fields.capture(capture).fill('Half a thought');
    const memory = await profile.open(places.notes);
    await memory.getByRole('radio', { name: 'Write' }).click();
    await fields.notes(memory).fill('As it was, and half a sentence');
    const thread = await profile.open(places.message);
    await fields.message(thread).fill('Half a question');
    const typed = ['Half a thought', 'As it was, and half a sentence', 'Half a question'];
    await expect
      .poll(() => storedRows(thread, 'loci-drafts', 'drafts'))
      .toEqual(expect.arrayContaining(typed.map((text) => expect.objectContaining({ text }))));
    await profile.kill();

    await sit();
    await expect(fields.capture(await profile.open(places.capture))).toHaveValue('Half a thought');
    await expect(fields.message(await profile.open(places.message))).toHaveValue('Half a question');
    const again = await profile.open(places.notes);
    await expect(again.getByRole('dialog').getByText('As it was, and half a sentence')).toBeVisible();
    const notes = async () =>
      (await ada.api('memory.get', { params: { workspaceId, id: memoryId } })).result.notes;
    await expect.poll(notes, { timeout: 30_000 }).toBe('As it was, and half a sentence');
  } finally {
    await profile.remove();
  }
});

/** `@` in a message: memories and spaces that it is answered from, in the draft, in the queue and above the sent message. */
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { readContext } from '#shared/threads/message-context.ts';
import { message } from '#shared/threads/message.ts';
import { KINDS } from '#shared/kinds.ts';
import { NewThreadPage, ThreadPage } from '#client/threads/thread-page.tsx';
import { findDraft } from '#client/shell/drafts.ts';
import { openModal } from '#client/shell/modals.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import type { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memoryRow, messageRow, spaceRow, threadRow, USER } from '#tests/support/replica-rows.ts';
import { waitFor } from '../../support/wait-for.ts';

const pages = [
  { path: 'threads/new', Component: NewThreadPage },
  { path: 'threads/:thread_id', Component: ThreadPage },
];
const thread = threadRow({ name: 'Beds' });
const beds = memoryRow({ title: 'Raised beds' });
const bogs = memoryRow({ title: 'Raised bogs [old]' });
const garden = spaceRow({ name: 'Raised garden' });

function fill(server: FakeSyncServer): void {
  server.put('thread', thread);
  server.put('memory', beds, bogs);
  server.put('space', garden);
}

/** The messages that reached the server. */
function sentTo(server: FakeSyncServer) {
  return [...server.rows].flatMap(([key, { value }]) =>
    key.startsWith(KINDS.message.prefix) ? [message.row.parse(value)] : [],
  );
}

const draftKey = `thread/${USER}/${thread.id}`;

async function stage() {
  const staged = await stageDashboard(fill, { path: `/threads/${thread.id}`, pages });
  const field = staged.screen.getByRole('textbox', { name: 'Message in Beds' });
  await expect.element(field).toHaveFocus();
  return { ...staged, field, list: staged.screen.getByRole('listbox', { name: 'Memories and spaces' }) };
}

it('is chosen by keyboard, stays with the draft, and is sent and shown with the message', async () => {
  const { screen, server, field, list } = await stage();
  await userEvent.keyboard('What about @rais');
  await expect.element(list.getByRole('option', { name: /Raised garden/ })).toBeVisible();
  expect(list.getByRole('option').elements()).toHaveLength(3);
  expect(await accessibilityFaults()).toEqual([]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(field).toHaveValue('What about ');
  await userEvent.keyboard('in spring, @rais');
  // What is chosen is not offered again.
  await expect.poll(() => list.getByRole('option').elements().length).toBe(2);
  await userEvent.keyboard('{Tab}?');
  const chosen = screen.getByRole('list', { name: 'Answered from' });
  await expect.poll(() => chosen.getByRole('listitem').elements().length).toBe(2);
  expect(await accessibilityFaults()).toEqual([]);
  await expect
    .poll(async () => readContext((await findDraft(draftKey))?.text ?? ''))
    .toMatchObject({ text: 'What about in spring, ?', items: [{ kind: 'memory' }, { id: garden.id }] });

  await userEvent.keyboard('{Enter}');
  const sent = screen.getByRole('article', { name: /^Message from/ });
  await expect.element(sent.getByText('What about in spring, ?')).toBeVisible();
  await expect.element(sent.getByRole('link', { name: 'Raised garden' })).toBeVisible();
  await expect.element(field).toHaveValue('');
  await waitFor(() => expect(sentTo(server)).toHaveLength(1));
  const [stored] = sentTo(server);
  expect(readContext(stored?.content ?? '').items.map(({ id }) => id)).toContain(garden.id);
  await expect.poll(() => findDraft(draftKey)).toBeUndefined();
});

it('is chosen by touch from its button, and removed again', async () => {
  const { screen, field, list } = await stage();
  await screen.getByRole('button', { name: 'Add a memory or space' }).click();
  await list.getByRole('option', { name: /Raised bogs/ }).click();
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue('');
  await screen.getByRole('button', { name: /^Remove Raised bogs/ }).click();
  await expect.element(screen.getByRole('list', { name: 'Answered from' })).not.toBeInTheDocument();
  await userEvent.keyboard('@bogs{Enter}');
  await expect.element(screen.getByRole('button', { name: /^Remove Raised bogs/ })).toBeVisible();
  await userEvent.keyboard('{Backspace}');
  await expect.element(screen.getByRole('list', { name: 'Answered from' })).not.toBeInTheDocument();
});

it('opens no list for addresses and unknown words, and none again after Escape', async () => {
  const { field, list } = await stage();
  for (const text of ['ada@raised', '@nothing like it', 'x@']) {
    await userEvent.fill(field, text);
    await expect.element(list).not.toBeInTheDocument();
  }
  await userEvent.fill(field, '');
  await userEvent.keyboard('@rai');
  await expect.element(list).toBeVisible();
  await userEvent.keyboard('{Escape}sed');
  await expect.element(list).not.toBeInTheDocument();
  await userEvent.keyboard(' or @bo');
  await expect.element(list).toBeVisible();
});

it('shows of what a reader does not have the title alone', async () => {
  const content = `About [Gone](memory:${memoryRow({}).id}), [Raised beds](memory:${beds.id})\n\nWhen?`;
  const { screen } = await stageDashboard(
    (server) => {
      fill(server);
      server.put('message', messageRow({ threadId: thread.id, content }));
    },
    { path: `/threads/${thread.id}`, pages },
  );
  const shown = screen.getByRole('article').getByRole('list', { name: 'Answered from' });
  await expect.element(shown.getByText('Gone')).toBeVisible();
  expect(shown.getByRole('link').elements()).toHaveLength(1);
  await shown.getByRole('link', { name: 'Raised beds' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Raised beds' })).toBeVisible();
});

it('begins a thread from the dialog and from the page with the same draft', async () => {
  const { screen, server, router } = await stageDashboard(fill, { path: '/threads/new', pages });
  await expect.element(screen.getByRole('textbox', { name: 'First message' })).toHaveFocus();
  await userEvent.keyboard('Where do @beds{Enter}they stand?');
  await router.navigate(`/acme/threads/${thread.id}`);
  openModal('createThread', {});
  const dialog = screen.getByRole('dialog', { name: 'New thread' });
  const field = dialog.getByRole('textbox', { name: 'First message' });
  await expect.element(field).toHaveValue('Where do they stand?');
  expect(await accessibilityFaults()).toEqual([]);
  await field.click();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(dialog).not.toBeInTheDocument();
  await waitFor(() => expect(sentTo(server)).toHaveLength(1));
  await expect.element(screen.getByRole('heading', { name: 'Where do they stand?' })).toBeVisible();
});

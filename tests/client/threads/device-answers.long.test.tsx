/** Answers that this device makes while a question waits: over a real replica, search and workers. */
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { Head } from '#shared/entities.ts';
import { newId } from '#shared/ids.ts';
import { withContext } from '#shared/threads/message-context.ts';
import { ThreadPage } from '#client/threads/thread-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import type { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { linkRow, memoryRow, messageRow, minute, spaceRow, threadRow } from '#tests/support/replica-rows.ts';

const pages = [{ path: 'threads/:thread_id', Component: ThreadPage }];
const beds = threadRow({ name: 'Which beds rest?' });
const path = `/threads/${beds.id}`;
const compost = memoryRow({
  title: 'Compost basics',
  notes: 'A heap wants two parts of brown to one part of green.',
});
const QUESTION = 'How much brown and green does a compost heap need?';

async function stage(fill?: (server: FakeSyncServer) => void) {
  const staged = await stageDashboard(
    (server) => {
      server.put('thread', beds);
      server.put('memory', compost);
      fill?.(server);
    },
    { path, pages },
  );
  const { screen, server } = staged;
  const field = screen.getByRole('textbox', { name: 'Message in Which beds rest?' });
  await expect.element(field).toBeVisible();
  const ask = async (text = QUESTION) => {
    await userEvent.fill(field, text);
    await userEvent.keyboard('{Enter}');
  };
  const made = screen.getByRole('article', { name: 'Answer from this device' });
  const answers = screen.getByRole('article', { name: 'Answer', exact: true });
  const asked = () =>
    [...server.rows.values()]
      .map(({ value }) => value as Head<'message'> | null)
      .filter((row) => row?.role === 'user');
  const answer = (content: string, citations: Head<'message'>['citations'] = []) => {
    const question = asked().at(-1);
    if (!question) throw new Error('The question has not arrived');
    const createdAt = new Date(Date.parse(question.createdAt) + 1_000).toISOString();
    server.put(
      'message',
      messageRow({
        threadId: beds.id,
        role: 'assistant',
        createdBy: null,
        replyTo: question.id,
        content,
        citations,
        createdAt,
      }),
    );
  };
  return { ...staged, field, ask, made, answers, asked, answer };
}

describe('a question without a network', () => {
  it('is answered from this device at once, said politely, and its source opens', async () => {
    const { screen, server, ask, made, answers, field } = await stage();
    server.weather.offline = true;
    await ask();
    await expect.element(made.getByText(/two parts of brown to one part of green/)).toBeVisible();
    await expect.element(made.getByText('Answered on this device, from passages')).toBeVisible();
    const news = screen.getByRole('status').filter({ hasText: 'An answer from this device has arrived.' });
    await expect.element(news).toBeInTheDocument();
    await expect.element(field).toHaveFocus();
    expect(answers.elements()).toEqual([]);
    expect(await accessibilityFaults()).toEqual([]);
    // It is no message: nothing of it was written to be sent.
    expect(JSON.stringify([...server.rows.values()])).not.toContain('come closest');
    await made.getByRole('link', { name: 'Compost basics' }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Compost basics' })).toBeVisible();
  });

  it('gets the answer of the server in its place, with the focus where it was', async () => {
    const { screen, server, replica, ask, made, answers, asked, answer } = await stage();
    server.weather.offline = true;
    await ask();
    const link = made.getByRole('link', { name: 'Compost basics' });
    await expect.element(link).toBeVisible();
    link.element().focus();
    server.weather.offline = false;
    replica.syncNow();
    await expect.poll(asked).toHaveLength(1);
    // Sent, and not answered yet: what the device made is still there.
    await expect.element(screen.getByText('Looking through your memories…')).toBeVisible();
    await expect.element(link).toHaveFocus();
    answer('Two of brown, one of green.', [{ memoryId: compost.id, quote: 'two parts of brown' }]);
    replica.syncNow();
    await expect.element(answers.getByText('Two of brown, one of green.')).toBeVisible();
    await expect.element(made).not.toBeInTheDocument();
    expect(answers.elements()).toHaveLength(1);
    await expect.element(answers.getByRole('link', { name: 'Compost basics' })).toHaveFocus();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('leaves the focus in the field while the answer is replaced', async () => {
    const { server, replica, ask, made, answers, asked, answer, field } = await stage();
    server.weather.offline = true;
    await ask();
    await expect.element(made).toBeVisible();
    await userEvent.fill(field, 'Half a next one');
    server.weather.offline = false;
    replica.syncNow();
    await expect.poll(asked).toHaveLength(1);
    answer('Two of brown.');
    replica.syncNow();
    await expect.element(answers.getByText('Two of brown.')).toBeVisible();
    await expect.element(made).not.toBeInTheDocument();
    await expect.element(field).toHaveFocus();
    await expect.element(field).toHaveValue('Half a next one');
  });

  it('is answered from the space that it names alone, and understood from the question before it', async () => {
    const space = spaceRow({ name: 'Allotment' });
    const inside = memoryRow({
      title: 'Heap of 2024',
      notes: 'Our heap took brown leaves and green nettles.',
    });
    const { server, ask, made, replica } = await stage((fresh) => {
      fresh.put('space', space);
      fresh.put('memory', inside);
      fresh.put('space_memory', linkRow(space.id, inside.id));
    });
    server.weather.offline = true;
    await replica.mutate('message.create', {
      id: messageRow().id,
      threadId: beds.id,
      spaceIds: [space.id],
      content: withContext([{ kind: 'space', id: space.id, title: 'Allotment' }], QUESTION),
    });
    const [scoped, next] = [made.nth(0), made.nth(1)];
    await expect.element(scoped.getByText(/brown leaves and green nettles/)).toBeVisible();
    await expect.element(scoped.getByText(/two parts of brown/)).not.toBeInTheDocument();
    await ask('And how much?');
    await expect.element(next.getByText(/two parts of brown/)).toBeVisible();
  });

  it('loses its answer with the memory that it quotes, and gets one from those that are left', async () => {
    const other = memoryRow({ title: 'Heaps', notes: 'A compost heap: as much brown as green, say others.' });
    const { server, ask, made, replica } = await stage((fresh) => fresh.put('memory', other));
    server.weather.offline = true;
    await ask();
    await expect.element(made.getByText(/two parts of brown/)).toBeVisible();
    await replica.mutate('memory.remove', { id: compost.id });
    await expect.element(made.getByText(/as much brown as green/)).toBeVisible();
    await expect.element(made.getByText(/two parts of brown/)).not.toBeInTheDocument();
  });

  it('renders hostile notes as words', async () => {
    const hostile = '<img src=x onerror=alert(1)> [link](javascript:alert(1)) zebra **bold** `code`';
    const { server, ask, made } = await stage((fresh) =>
      fresh.put('memory', memoryRow({ title: '](x) <b>Zebra</b>', notes: hostile })),
    );
    server.weather.offline = true;
    await ask('What about the zebra?');
    await expect.element(made.getByText(/zebra/).first()).toBeVisible();
    const frame = made.element();
    expect(frame.querySelector('img, b, strong, script')).toBeNull();
    expect([...frame.querySelectorAll('a')].filter(({ href }) => href.startsWith('javascript'))).toEqual([]);
  });
});

it('a server that does not take a question within seconds is not waited for', async () => {
  const { server, ask, made } = await stage();
  let goOn: (() => void) | undefined;
  server.weather.held = new Promise((resolve) => {
    goOn = resolve;
  });
  await ask();
  await expect.element(made.getByText(/two parts of brown/)).toBeVisible();
  goOn?.();
});

it('a question of another member gets none', async () => {
  const theirs = messageRow({
    threadId: beds.id,
    createdBy: newId('user'),
    content: QUESTION,
    createdAt: minute(1),
  });
  const { server, ask, made } = await stage((fresh) => fresh.put('message', theirs));
  server.weather.offline = true;
  await ask('Zyzzyva?');
  await expect.element(made.first()).toBeVisible();
  expect(made.elements()).toHaveLength(1);
});

/** An answer that a language model writes, on the page of its thread: it grows, can be stopped, and ends as a message. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '#shared/ids.ts';
import { ThreadPage } from '#client/threads/thread-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { messageRow, threadRow, USER } from '#tests/support/replica-rows.ts';
import { waitFor } from '../../support/wait-for.ts';

const pages = [{ path: 'threads/:thread_id', Component: ThreadPage }];
const replyId = newId('message');

/** The server of the calls, with a stream that the test writes. */
let writer: ((event: string, data: object) => void) | undefined;
const write = (event: string, data: object) => writer?.(event, data);
let stopped: string[];
let ended: number;

beforeEach(() => {
  writer = undefined;
  stopped = [];
  ended = 0;
  const encoder = new TextEncoder();
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const answer = (result: unknown) => Response.json({ success: true, result, meta: {} });
    if (pathname.startsWith('/v1/answering/'))
      return answer({ model: { name: 'parrot', host: 'models.example' } });
    if (pathname.endsWith('/stop')) {
      stopped.push(pathname);
      return answer(null);
    }
    if (!pathname.endsWith('/follow')) return answer([]);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        writer = (event, data) =>
          controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
        request.signal.addEventListener('abort', () => {
          ended += 1;
          controller.error(request.signal.reason);
        });
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
});
afterEach(() => vi.restoreAllMocks());

async function stage(createdBy = USER) {
  const thread = threadRow({ name: 'Which beds rest?' });
  const now = new Date().toISOString();
  const question = messageRow({ threadId: thread.id, content: 'Where?', createdBy, createdAt: now });
  const staged = await stageDashboard(
    (server) => {
      server.put('thread', thread);
      server.put('message', question);
    },
    { path: `/threads/${thread.id}`, pages },
  );
  await waitFor(() => expect(writer).toBeDefined());
  return { ...staged, thread, question };
}

describe('an answer that is being written', () => {
  it('grows, begins again when another server does, and becomes the message', async () => {
    const { screen, server, replica, thread, question } = await stage();
    const draft = screen.getByRole('article', { name: 'Answer being written' });
    await expect.element(screen.getByText('Looking through your memories…')).toBeVisible();
    await expect
      .element(screen.getByText(/sent to models\.example, where the language model parrot/))
      .toBeVisible();
    write('snapshot', { thread: {}, messages: [] });
    write('message.delta', { id: replyId, seq: 0, text: 'On the **north' });
    await expect.element(draft.getByText('On the **north')).toBeVisible();
    await expect.element(screen.getByRole('status').filter({ hasText: 'being written' })).toBeVisible();
    write('message.delta', { id: replyId, seq: 14, text: '** wall' });
    await expect.element(draft.getByText('north', { exact: true })).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    write('message.delta', { id: replyId, seq: 0, text: 'South' });
    await expect.element(draft.getByText('South', { exact: true })).toBeVisible();
    server.put(
      'message',
      messageRow({
        id: replyId,
        threadId: thread.id,
        role: 'assistant',
        createdBy: null,
        replyTo: question.id,
        content: 'South, in the end.',
        createdAt: new Date(Date.now() + 1).toISOString(),
      }),
    );
    replica.syncNow();
    const reply = screen.getByRole('article', { name: 'Answer', exact: true });
    await expect.element(reply.getByText('South, in the end.')).toBeVisible();
    await expect.element(draft).not.toBeInTheDocument();
    await expect.element(screen.getByText('The answer has arrived.')).toBeInTheDocument();
    await waitFor(() => expect(ended).toBe(1));
  });

  it('can be stopped by the person who asked, once', async () => {
    const { screen, question } = await stage();
    await screen.getByRole('button', { name: 'Stop' }).click();
    await expect.element(screen.getByRole('button', { name: 'Stopping…' })).toBeVisible();
    await screen.getByRole('button', { name: 'Stopping…' }).click({ force: true });
    await waitFor(() => expect(stopped).toHaveLength(1));
    expect(stopped[0]).toMatch(new RegExp(`/${question.id}/stop$`));
  });

  it('cannot be stopped by another member', async () => {
    const { screen } = await stage(newId('user'));
    write('message.delta', { id: replyId, seq: 0, text: 'On the north wall' });
    const draft = screen.getByRole('article', { name: 'Answer being written' });
    await expect.element(draft.getByText('On the north wall')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Stop' })).not.toBeInTheDocument();
  });
});

it('an answer is written again in its place, and what it said before stays as a version', async () => {
  const thread = threadRow({ name: 'Which beds rest?' });
  const question = messageRow({ threadId: thread.id, content: 'Where?' });
  const reply = messageRow({
    id: replyId,
    threadId: thread.id,
    role: 'assistant',
    createdBy: null,
    replyTo: question.id,
    content: 'On the north wall.',
    createdAt: new Date(Date.parse(question.createdAt) + 1).toISOString(),
  });
  const { screen, server, replica } = await stageDashboard(
    (fresh) => {
      fresh.put('thread', thread);
      fresh.put('message', question, reply);
    },
    { path: `/threads/${thread.id}`, pages },
  );
  await screen.getByRole('button', { name: 'Write again' }).click();
  await expect.element(screen.getByRole('button', { name: 'Being written again…' })).toHaveFocus();
  await waitFor(() => expect(writer).toBeDefined());
  write('message.delta', { id: replyId, seq: 0, text: 'On the south' });
  const draft = screen.getByRole('article', { name: 'Answer being written' });
  await expect.element(draft.getByText('On the south')).toBeVisible();
  await expect.element(screen.getByText('On the north wall.')).toBeVisible();
  expect(await accessibilityFaults()).toEqual([]);
  // The service may write the very same words again.
  const versions = ['On the east wall.', reply.content].map((content, index) => ({
    ...reply,
    id: newId('message'),
    content,
    replyTo: null,
    versionOf: reply.id,
    rewrittenAt: index === 0 ? null : new Date(Date.parse(reply.createdAt) + 1_000).toISOString(),
  }));
  server.put('message', { ...reply, rewrittenAt: new Date().toISOString() }, ...versions);
  replica.syncNow();
  await expect.element(draft).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Write again' })).toHaveFocus();
  await expect.element(screen.getByText('The answer was replaced.')).toBeInTheDocument();
  const steps = screen.getByRole('group', { name: 'Versions of this answer' });
  await expect.element(steps.getByRole('status')).toHaveTextContent('Version 3 of 3');
  const earlier = steps.getByRole('button', { name: 'Earlier version' });
  await earlier.click();
  await earlier.click();
  await expect.element(screen.getByText('On the east wall.')).toBeVisible();
  await expect.element(screen.getByText('On the north wall.')).not.toBeInTheDocument();
  await expect.element(steps.getByRole('status')).toHaveTextContent('Version 1 of 3');
  await expect.element(earlier).toHaveFocus();
  await earlier.click({ force: true });
  await expect.element(screen.getByText('On the east wall.')).toBeVisible();
  await expect.element(screen.getByRole('article', { name: 'Answer', exact: true })).toHaveLength(1);
  expect(await accessibilityFaults()).toEqual([]);
  // A newer one is shown when it comes.
  const last = { ...reply, content: 'On the south wall.', rewrittenAt: new Date().toISOString() };
  const third = { ...reply, id: newId('message'), replyTo: null, versionOf: reply.id };
  server.put('message', last, { ...third, rewrittenAt: new Date(Date.now() - 1_000).toISOString() });
  replica.syncNow();
  await expect.element(screen.getByText('On the south wall.')).toBeVisible();
  await expect.element(steps.getByRole('status')).toHaveTextContent('Version 4 of 4');
});

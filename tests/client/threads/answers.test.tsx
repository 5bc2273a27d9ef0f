/** Answers in a thread over a real replica: their sources and ratings. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { newId } from '#shared/ids.ts';
import { ThreadPage } from '#client/threads/thread-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import type { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memoryRow, messageRow, minute, threadRow } from '#tests/support/replica-rows.ts';

const pages = [{ path: 'threads/:thread_id', Component: ThreadPage }];
const beds = threadRow({ name: 'Which beds rest?', updated: minute(5) });
const asked = messageRow({ threadId: beds.id, content: 'Where did the tomatoes stand?' });
const path = `/threads/${beds.id}`;

function fill(server: FakeSyncServer): void {
  server.put('thread', beds);
  server.put('message', asked);
}

afterEach(() => vi.restoreAllMocks());

describe('an answer', () => {
  it('numbers the sources of an answer, opens them, and shows which are gone', async () => {
    const note = memoryRow({ title: 'Tomatoes of 2024' });
    const thrown = memoryRow({ title: 'Thrown away', deletedAt: minute(3) });
    const citations = [
      { memoryId: note.id, quote: 'along the north wall' },
      { memoryId: thrown.id, quote: 'not to be seen' },
      { memoryId: newId('memory'), quote: 'nor this' },
      { memoryId: note.id, quote: null },
    ];
    const reply = messageRow({
      ...{ threadId: beds.id, role: 'assistant', createdBy: null, citations },
      ...{ content: 'On the north wall.', createdAt: minute(6) },
    });
    const { screen } = await stageDashboard(
      (server) => {
        fill(server);
        server.put('memory', note, thrown);
        server.put('message', reply);
      },
      { path, pages },
    );
    const sources = screen
      .getByRole('article', { name: 'Answer', exact: true })
      .getByRole('list', { name: 'Sources' });
    const gone = 'This memory was deleted, or you do not have access to it.';
    await expect
      .poll(() =>
        sources
          .getByRole('listitem')
          .elements()
          .map((line) => line.textContent),
      )
      .toEqual([
        '[1]Tomatoes of 2024along the north wall',
        `[2]${gone}`,
        `[3]${gone}`,
        '[4]Tomatoes of 2024',
      ]);
    expect(await accessibilityFaults()).toEqual([]);
    await sources.getByRole('link', { name: 'Tomatoes of 2024' }).first().click();
    await expect.element(screen.getByRole('dialog', { name: 'Tomatoes of 2024' })).toBeVisible();
  });

  it('shows and stores the rating of an answer and its reason, and reverts what the server refuses', async () => {
    const reply = messageRow({
      ...{ threadId: beds.id, role: 'assistant', createdBy: null },
      ...{ content: 'On the north wall.', createdAt: minute(6) },
    });
    const sent: unknown[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/v1/ratings/'))
        return Response.json({
          ...{ success: true, meta: {} },
          result: [{ id: newId('rating'), messageId: reply.id, value: 1, reason: null, comment: null }],
        });
      if (pathname !== '/v1/messages/rate') return new Response(null, { status: 404 });
      const body = await request.json();
      sent.push(body);
      const error = { message: 'Not found', detail: '', code: 'not_found' };
      return body.comment === 'refused'
        ? Response.json({ success: false, error }, { status: 404 })
        : Response.json({ success: true, result: { id: null, ...body }, meta: {} });
    });
    const { screen } = await stageDashboard(
      (server) => {
        fill(server);
        server.put('message', reply);
      },
      { path, pages },
    );
    const good = screen.getByRole('button', { name: 'Good answer' });
    const bad = screen.getByRole('button', { name: 'Bad answer' });
    await expect.element(good).toHaveAttribute('aria-pressed', 'true');
    await good.click();
    await expect.element(good).toHaveAttribute('aria-pressed', 'false');
    await expect.poll(() => sent).toMatchObject([{ messageId: reply.id, value: 0 }]);
    await expect.element(screen.getByRole('button', { name: 'Give a reason' })).not.toBeInTheDocument();
    await bad.click();
    await expect.poll(() => sent.length).toBe(2);
    expect(sent[1]).toMatchObject({ messageId: reply.id, value: -1 });
    await screen.getByRole('button', { name: 'Give a reason' }).click();
    const why = screen.getByRole('dialog', { name: 'Why' });
    const comment = why.getByRole('textbox', { name: 'Comment' });
    await why.getByRole('combobox', { name: 'Why?' }).selectOptions('missing_source');
    await userEvent.fill(comment, 'refused');
    await why.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => sent.length).toBe(3);
    // What was typed is not lost with the refusal.
    await expect.element(why.getByRole('button', { name: 'Save' })).toBeEnabled();
    await expect.element(comment).toHaveValue('refused');
    expect(await accessibilityFaults()).toEqual([]);
    await userEvent.fill(comment, 'Which wall?');
    await why.getByRole('button', { name: 'Save' }).click();
    await expect.element(why).not.toBeInTheDocument();
    expect(sent[3]).toMatchObject({ value: -1, reason: 'missing_source', comment: 'Which wall?' });
    await expect.element(screen.getByRole('button', { name: 'Edit reason' })).toBeVisible();
    await expect.element(bad).toHaveAttribute('aria-pressed', 'true');
  });
});

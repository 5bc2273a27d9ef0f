/** Answers in a thread over a real replica: their sources and ratings. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { newId } from '#shared/ids.ts';
import { KINDS } from '#shared/kinds.ts';
import { bodyFields } from '#shared/memories/body.ts';
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

afterEach(async () => {
  vi.restoreAllMocks();
  await page.viewport(1280, 800);
});

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
      threadId: beds.id,
      role: 'assistant',
      createdBy: null,
      citations,
      content: 'On the north wall.',
      createdAt: minute(6),
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

  it.each([
    ['in the viewer', 1_200, 'Tomatoes of 2024'],
    ['beside the thread', 1_500, '[1] Tomatoes of 2024'],
  ] as const)(
    'opens a source at the passage, marked, %s where the window is %i pixels wide',
    async (_where, width, name) => {
      await page.viewport(width, 800);
      const filler = Array.from({ length: 30 }, (_, index) => `Bed ${index + 1}.`).join('\n\n');
      const notes = `${filler}\n\nThey stood **along** the [north wall](https://a.example/).\n\n${filler}`;
      const note = memoryRow({ title: 'Tomatoes of 2024', ...bodyFields(notes) });
      const citations = [{ memoryId: note.id, quote: 'They stood along the north wall.' }];
      const content = 'On the north wall [1], not [2].';
      const said = { threadId: beds.id, createdBy: null, citations, content, createdAt: minute(6) };
      const { screen } = await stageDashboard(
        (server) => {
          fill(server);
          server.put('memory', note);
          server.put('message', messageRow({ ...said, role: 'assistant' }));
        },
        { path, pages },
      );
      const link = screen.getByRole('link', { name, exact: true });
      await expect.element(link).toBeVisible();
      const element = link.element();
      const { top, width: lineWidth } = element.getBoundingClientRect();
      await link.click();
      const viewer = screen.getByRole('dialog', { name: 'Tomatoes of 2024' });
      const pane = screen.getByRole('region', { name: 'Reading' });
      const [shown, hidden] = width < 1_400 ? [viewer, pane] : [pane, viewer];
      await expect.element(shown.getByRole('link', { name: 'north wall' })).toBeInViewport();
      // A third of the text stands above it.
      const scroller = document.querySelector(
        `${width < 1_400 ? '[role=dialog]' : '[data-beside]'} [data-scroll]`,
      );
      const shownAt = () => {
        const frame = scroller?.getBoundingClientRect() ?? new DOMRect();
        const [range] = CSS.highlights.get('page-quote') ?? [];
        const { top: at = 0 } = range instanceof Range ? range.getBoundingClientRect() : {};
        return Math.round(((at - frame.top) / frame.height) * 100);
      };
      await expect.poll(shownAt).toBe(33);
      expect(hidden.elements()).toEqual([]);
      expect([...(CSS.highlights.get('page-quote') ?? [])].map(String)).toEqual([
        'They stood along the north wall',
      ]);
      expect(await accessibilityFaults()).toEqual([]);
      // No line of the thread broke anew.
      expect(element.getBoundingClientRect()).toMatchObject({ top, width: lineWidth });
      await userEvent.keyboard('{Escape}');
      await expect.element(shown).not.toBeInTheDocument();
      await expect.element(link).toHaveFocus();
      expect(link.element()).toBe(element);
      expect([...(CSS.highlights.get('page-quote') ?? [])]).toEqual([]);
    },
  );

  it('is copied with its sources, saved as a memory, and asked for again, offline too', async () => {
    const note = memoryRow({ title: 'Tomatoes of 2024' });
    const reply = messageRow({
      threadId: beds.id,
      role: 'assistant',
      createdBy: null,
      replyTo: asked.id,
      citations: [
        {
          memoryId: note.id,
          quote: 'along the north wall',
        },
      ],
      content: 'On the north wall [1].',
      createdAt: minute(6),
    });
    const { screen, server, replica } = await stageDashboard(
      (fresh) => {
        fill(fresh);
        fresh.put('memory', note);
        fresh.put('message', reply);
      },
      { path, pages },
    );
    const taken: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void taken.push(text));
    await expect.element(screen.getByRole('link', { name: 'Tomatoes of 2024' })).toBeVisible();
    await screen.getByRole('button', { name: 'Copy with sources' }).click();
    await expect.poll(() => taken).toHaveLength(1);
    expect(taken[0]).toMatch(
      /^On the north wall \[1\]\.\n\nSources:\n\n1\. \[Tomatoes of 2024\]\(<http\S+>\): “along the north wall”$/,
    );
    server.weather.offline = true;
    await screen.getByRole('button', { name: 'Save as memory' }).click();
    await expect.element(screen.getByText('Answer saved as a memory').first()).toBeVisible();
    await screen.getByRole('button', { name: 'Ask again' }).click();
    await expect.element(screen.getByText('Saved here, sent when you are online').first()).toBeVisible();
    await expect.element(screen.getByRole('textbox', { name: /^Message in/ })).toHaveFocus();
    await expect.element(screen.getByRole('button', { name: 'Ask again' })).not.toBeInTheDocument();
    server.weather.offline = false;
    replica.syncNow();
    const values = () => JSON.stringify([...server.rows.values()]);
    await expect.poll(() => values().split(`"content":"${asked.content}"`).length - 1).toBe(2);
    await expect.poll(values).toContain(`"title":"${asked.content}"`);
  });

  it('offers nothing to write to a member who only reads', async () => {
    const reply = messageRow({
      threadId: beds.id,
      role: 'assistant',
      createdBy: null,
      replyTo: asked.id,
      content: 'On the north wall.',
      createdAt: minute(6),
    });
    const { screen } = await stageDashboard(
      (server) => {
        fill(server);
        server.put('message', reply);
      },
      { path, pages, position: 'read-only' },
    );
    await expect.element(screen.getByText('On the north wall.')).toBeVisible();
    for (const name of ['Ask again', 'Save as memory', 'Edit and send again'])
      await expect.element(screen.getByRole('button', { name })).not.toBeInTheDocument();
  });

  it('shows and stores the rating of an answer and its reason, and reverts what the server refuses', async () => {
    const reply = messageRow({
      threadId: beds.id,
      role: 'assistant',
      createdBy: null,
      content: 'On the north wall.',
      createdAt: minute(6),
    });
    const sent: unknown[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/v1/ratings/'))
        return Response.json({
          success: true,
          meta: {},
          result: [
            {
              id: newId('rating'),
              messageId: reply.id,
              value: 1,
              reason: null,
              comment: null,
            },
          ],
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

describe('the last question of a person', () => {
  it('is edited by keyboard and sent again, keeps what was typed, and is left with Escape', async () => {
    const before = messageRow({ threadId: beds.id, content: 'An older question', createdAt: minute(-1) });
    const { screen, server } = await stageDashboard(
      (fresh) => {
        fill(fresh);
        fresh.put('message', before);
      },
      { path, pages },
    );
    const edit = screen.getByRole('button', { name: 'Edit and send again' });
    await expect.poll(() => edit.elements()).toHaveLength(1);
    edit.element().focus();
    await userEvent.keyboard('{Enter}');
    const field = screen.getByRole('textbox', { name: 'Edited question' });
    await expect.element(field).toHaveValue(asked.content);
    await expect.element(field).toHaveFocus();
    expect(await accessibilityFaults()).toEqual([]);
    await userEvent.fill(field, 'Where did the beans stand?');
    await userEvent.keyboard('{Escape}');
    await expect.element(field).not.toBeInTheDocument();
    await expect.element(edit).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(field).toHaveValue('Where did the beans stand?');
    await userEvent.keyboard('{Enter}');
    await expect.element(field).not.toBeInTheDocument();
    await expect.element(screen.getByRole('textbox', { name: /^Message in/ })).toHaveFocus();
    await expect
      .poll(() => JSON.stringify([...server.rows.values()]))
      .toContain('"content":"Where did the beans stand?"');
    expect(JSON.stringify([...server.rows.values()])).toContain(asked.content);
  });

  it('is not edited by another member', async () => {
    const theirs = messageRow({
      threadId: beds.id,
      createdBy: newId('user'),
      content: 'And the beans?',
      createdAt: minute(7),
    });
    const { screen } = await stageDashboard(
      (server) => {
        fill(server);
        server.put('message', theirs);
      },
      { path, pages },
    );
    await expect.element(screen.getByText('And the beans?')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Edit and send again' })).not.toBeInTheDocument();
  });
});

describe('a branch', () => {
  const reply = messageRow({
    threadId: beds.id,
    role: 'assistant',
    createdBy: null,
    replyTo: asked.id,
    content: 'On the north wall.',
    createdAt: minute(6),
  });
  const stage = (position: 'owner' | 'read-only') =>
    stageDashboard(
      (server) => {
        fill(server);
        server.put('message', reply);
      },
      { path, pages, position },
    );

  it('opens at once without a network, can be branched from, and is the same once it was sent', async () => {
    const { screen, server, replica } = await stage('owner');
    const answer = screen.getByRole('article', { name: 'Answer', exact: true });
    const question = screen.getByRole('article', { name: /^Message from/ });
    await expect.element(answer).toBeVisible();
    server.weather.offline = true;
    await answer.getByRole('button', { name: 'Branch from here' }).click();
    await expect.element(screen.getByRole('heading', { name: `${beds.name} (branch)` })).toBeVisible();
    await expect.element(answer.getByText('On the north wall.')).toBeVisible();
    await question.getByRole('button', { name: 'Branch from here' }).click();
    await expect.element(answer).not.toBeInTheDocument();
    await expect.element(question.getByText(asked.content)).toBeVisible();
    const threads = () => [...server.rows.keys()].filter((key) => key.startsWith(KINDS.thread.prefix));
    expect(threads()).toHaveLength(1);
    server.weather.offline = false;
    replica.syncNow();
    await expect.poll(threads).toHaveLength(3);
    await expect.element(question.getByText(asked.content)).toBeVisible();
    await expect.element(screen.getByRole('heading', { name: `${beds.name} (branch)` })).toBeVisible();
    expect(replica.status().problems).toEqual([]);
  });

  it('promises no answer to a question that it copied', async () => {
    const fresh = messageRow({
      threadId: beds.id,
      content: 'And when?',
      createdAt: new Date().toISOString(),
    });
    const { screen, server } = await stageDashboard(
      (first) => {
        fill(first);
        first.put('message', fresh);
      },
      { path, pages },
    );
    await expect.element(screen.getByText('Looking through your memories…')).toBeVisible();
    const branch = screen
      .getByRole('article')
      .filter({ hasText: 'And when?' })
      .getByRole('button', { name: 'Branch from here' });
    await branch.click();
    await expect.element(screen.getByRole('heading', { name: `${beds.name} (branch)` })).toBeVisible();
    await expect.element(screen.getByText('And when?')).toBeVisible();
    await expect.element(screen.getByText('Looking through your memories…')).not.toBeInTheDocument();
    server.weather.offline = true;
    await branch.click();
    await expect.element(screen.getByText(/^You are offline/)).toBeVisible();
    // As long as it takes to answer one on the device, where that is done.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(screen.getByText('Answered on this device, from passages').elements()).toEqual([]);
  });

  it('is not offered to those who may begin no thread', async () => {
    const { screen } = await stage('read-only');
    await expect.element(screen.getByText('On the north wall.')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Branch from here' })).not.toBeInTheDocument();
  });
});

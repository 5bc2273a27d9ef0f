/** Threads over a real replica: lists, search, deleting with its way back, and pages with pending, refused and earlier messages. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { SYNC } from '#shared/sync/limits.ts';
import type { Head } from '#shared/entities.ts';
import { newId } from '#shared/ids.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { openModal } from '#client/shell/modals.ts';
import { NewThreadPage, ThreadPage } from '#client/threads/thread-page.tsx';
import { MESSAGES_DRAWN } from '#client/threads/use-earlier-messages.ts';
import { ThreadsPage } from '#client/threads/threads-page.tsx';
import { setEnterSends } from '#client/shell/enter-sends.ts';
import { findDraft, textsOf } from '#client/shell/drafts.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { submitAtOnce, typeAtOnce } from '#tests/support/type-at-once.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import type { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, messageRow, minute, threadRow, USER } from '#tests/support/replica-rows.ts';
import { waitFor } from '../../support/wait-for.ts';

const pages = [
  { path: 'threads', Component: ThreadsPage },
  { path: 'threads/new', Component: NewThreadPage },
  { path: 'threads/:thread_id', Component: ThreadPage },
];
const beds = threadRow({ name: 'Which beds rest?', updated: minute(5) });
const train = threadRow({ name: 'Reading for the train', created: minute(-3_000), updated: minute(-3_000) });
const gone = threadRow({ name: 'Old plans', deletedAt: minute(9) });
const asked = messageRow({
  threadId: beds.id,
  content: 'Where did the tomatoes stand?',
  createdAt: minute(5),
});

function fill(server: FakeSyncServer): void {
  server.put('thread', beds, train, gone);
  server.put('message', asked);
}

function answer(reply: (path: string, query: URLSearchParams) => unknown): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const { pathname, searchParams } = new URL(new Request(input).url);
    const result = reply(pathname, searchParams);
    const error = { message: 'Not found', detail: '', code: 'not_found' };
    return result === undefined
      ? Response.json({ success: false, error }, { status: 404 })
      : Response.json({ success: true, result, meta: {} });
  });
}

afterEach(() => vi.restoreAllMocks());

describe('the list of threads', () => {
  it('searches names and messages, here and on the server, and stores the query in the address', async () => {
    answer((path) =>
      path.endsWith('/threads/search')
        ? [
            {
              ...train,
              score: 1,
              snippets: [{ field: 'message', text: 'An essay about tomatoes', ranges: [] }],
            },
          ]
        : undefined,
    );
    const { screen, router } = await stageDashboard(fill, { path: '/threads', pages });
    await userEvent.fill(screen.getByRole('searchbox', { name: 'Search in threads' }), 'tomatoes');
    const found = screen.getByRole('list', { name: 'Found threads' });
    await expect.element(found.getByRole('link', { name: 'Which beds rest?' })).toBeVisible();
    await expect.element(found.getByText('Where did the tomatoes stand?')).toBeVisible();
    await expect.element(found.getByRole('link', { name: 'Reading for the train' })).toBeVisible();
    expect(router.state.location.search).toBe('?q=tomatoes');
    await userEvent.fill(screen.getByRole('searchbox', { name: 'Search in threads' }), 'nowhere');
    await expect.element(screen.getByText('No matching threads')).toBeVisible();
  });

  it('renames and deletes with a way back, and shows what was deleted', async () => {
    const { screen, server } = await stageDashboard(fill, { path: '/threads', pages });
    await screen.getByRole('button', { name: 'Actions for Reading for the train' }).click();
    await screen.getByRole('menuitem', { name: 'Rename…' }).click();
    await userEvent.fill(screen.getByRole('textbox', { name: 'Name' }), 'Reading');
    await screen.getByRole('button', { name: 'Rename', exact: true }).click();
    await expect.element(screen.getByRole('link', { name: 'Reading', exact: true })).toBeVisible();
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect.element(screen.getByRole('link', { name: 'Reading for the train' })).toBeVisible();
    await screen.getByRole('button', { name: 'Actions for Which beds rest?' }).click();
    await screen.getByRole('menuitem', { name: 'Delete…' }).click();
    const question = screen.getByRole('alertdialog', { name: 'Delete Which beds rest??' });
    await expect.element(question.getByText(/1 message goes with it/)).toBeVisible();
    await question.getByRole('button', { name: 'Delete thread' }).click();
    await expect.element(screen.getByText('Thread deleted')).toBeVisible();
    await screen.getByRole('radio', { name: 'Deleted' }).click();
    await expect.element(screen.getByRole('link', { name: 'Old plans' })).toBeVisible();
    await screen.getByRole('button', { name: 'Restore Which beds rest?' }).click();
    await expect.element(screen.getByRole('link', { name: 'Which beds rest?' })).not.toBeInTheDocument();
    await waitFor(() => expect(server.row('thread', beds.id)?.deletedAt).toBeNull());
    await screen.getByRole('link', { name: 'Old plans' }).click();
    await expect.element(screen.getByText('This thread was deleted')).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await screen.getByRole('button', { name: 'Restore' }).click();
    await expect.element(screen.getByRole('textbox', { name: 'Message in Old plans' })).toBeVisible();
  });

  it('draws of a thousand threads those near the window, and the last ones when one scrolls there', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) =>
      threadRow({ name: `Thread ${index}`, updated: minute(-index * 30) }),
    );
    const { screen } = await stageDashboard((server) => server.put('thread', ...many), {
      path: '/threads',
      pages,
    });
    await expect.element(screen.getByRole('link', { name: 'Thread 0', exact: true })).toBeVisible();
    // Read from the document itself: finding a role among some hundred lines takes seconds on a busy machine.
    const lines = () => [...document.links].filter(({ textContent }) => /^Thread \d+$/.test(textContent));
    const line = (name: string) => lines().find(({ textContent }) => textContent === name);
    expect(lines().length).toBeLessThan(300);
    expect(line('Thread 999')).toBeUndefined();
    // Blocks on the way are measured when they are drawn, which may move the end once more.
    await waitFor(() => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      const { top, bottom } = line('Thread 999')?.getBoundingClientRect() ?? { top: -1, bottom: Infinity };
      expect(top).toBeGreaterThan(0);
      expect(bottom).toBeLessThan(window.innerHeight);
    });
    expect(lines().length).toBeLessThan(300);
    expect(line('Thread 0')).toBeUndefined();
  });

  it('restores a name that was typed and not saved', async () => {
    const { screen } = await stageDashboard(fill, { path: '/threads', pages });
    const field = screen.getByRole('textbox', { name: 'Name' });
    const rename = async () => {
      await screen.getByRole('button', { name: /^Actions for Reading for/ }).click();
      await screen.getByRole('menuitem', { name: 'Rename…' }).click();
    };
    await rename();
    await userEvent.fill(field, 'Reading for the ferry');
    await expect
      .poll(async () => (await findDraft(`thread-name/${USER}/${train.id}`))?.text)
      .toContain('ferry');
    await userEvent.keyboard('{Escape}');
    await expect.element(field).not.toBeInTheDocument();
    await rename();
    await expect.element(field).toHaveValue('Reading for the ferry');
    await screen.getByRole('button', { name: 'Rename', exact: true }).click();
    await expect.element(screen.getByRole('link', { name: 'Reading for the ferry' })).toBeVisible();
    await rename();
    await expect.element(field).toHaveValue('Reading for the ferry');
    expect(screen.getByText(/^Restored an unsaved draft/).elements()).toEqual([]);
    await userEvent.keyboard('{Escape}');
  });

  it('shows what visitors asked under a filter of its own, once there is any', async () => {
    const visitor = threadRow({ name: 'A visitor asks', createdBy: null, visibility: 'unlisted' });
    const { screen: before } = await stageDashboard(fill, { path: '/threads', pages });
    await expect.element(before.getByRole('link', { name: 'Which beds rest?' })).toBeVisible();
    expect(before.getByRole('radio', { name: 'Visitors' }).elements()).toEqual([]);
    await before.unmount();
    const { screen } = await stageDashboard(
      (server) => {
        fill(server);
        server.put('thread', visitor);
      },
      { path: '/threads', pages },
    );
    await expect.element(screen.getByRole('link', { name: 'Which beds rest?' })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'A visitor asks' })).not.toBeInTheDocument();
    await screen.getByRole('radio', { name: 'Visitors' }).click();
    await expect.element(screen.getByRole('link', { name: 'A visitor asks' })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Which beds rest?' })).not.toBeInTheDocument();
  });
});

describe('a thread', () => {
  const path = `/threads/${beds.id}`;

  it('stores messages written offline, shows that, and sends them in order', async () => {
    const { screen, server, replica } = await stageDashboard(fill, { path, pages });
    await expect.element(screen.getByText('Where did the tomatoes stand?')).toBeVisible();
    server.weather.offline = true;
    const field = screen.getByRole('textbox', { name: 'Message in Which beds rest?' });
    for (const content of ['First thought', 'Second thought']) {
      await userEvent.fill(field, content);
      await userEvent.keyboard('{Enter}');
    }
    await expect.element(screen.getByText('Saved here, sent when you are online').first()).toBeVisible();
    await expect
      .element(screen.getByText(/^You are offline. Messages are saved on this device/))
      .toBeVisible();
    server.weather.offline = false;
    replica.syncNow();
    await expect.element(screen.getByText('Saved here, sent when you are online')).not.toBeInTheDocument();
    await waitFor(() => {
      const contents = [...server.rows.values()].flatMap(({ value }) =>
        typeof value === 'object' && value !== null && 'content' in value ? [value.content] : [],
      );
      expect(contents).toEqual(['Where did the tomatoes stand?', 'First thought', 'Second thought']);
    });
    await expect.element(screen.getByText('Answers rest on passages from your memories.')).toBeVisible();
  });

  it('sends what is typed while the previous message is being saved, and restores the next one', async () => {
    const { screen, server } = await stageDashboard(fill, { path, pages });
    const field = screen.getByRole('textbox', { name: 'Message in Which beds rest?' });
    await expect.element(field).toBeVisible();
    for (const text of ['One', 'Two']) {
      typeAtOnce(field.element(), text);
      submitAtOnce(field.element());
    }
    typeAtOnce(field.element(), 'Half a third');
    await waitFor(() => {
      const stored = JSON.stringify([...server.rows.values()]);
      expect(stored.indexOf('"One"')).toBeGreaterThan(0);
      expect(stored.indexOf('"Two"')).toBeGreaterThan(stored.indexOf('"One"'));
    });
    await expect.element(field).toHaveValue('Half a third');
    await expect.poll(() => textsOf((part) => part === beds.id)).toEqual(['Half a third']);
  });

  it('breaks the line with Enter for those who chose so, and sends with Control', async () => {
    setEnterSends(false);
    try {
      const { screen, server } = await stageDashboard(fill, { path, pages });
      const field = screen.getByRole('textbox', { name: 'Message in Which beds rest?' });
      await userEvent.fill(field, 'One');
      await userEvent.keyboard('{Enter}Two');
      await expect.element(field).toHaveValue('One\nTwo');
      await userEvent.keyboard('{Control>}{Enter}{/Control}');
      await expect.element(field).toHaveValue('');
      await expect
        .poll(() =>
          [...server.rows.values()].some(({ value }) => JSON.stringify(value).includes('One\\nTwo')),
        )
        .toBe(true);
    } finally {
      setEnterSends(true);
    }
  });

  it('is exported by the server, and from this device without a network', async () => {
    const files: { name: string; text: Promise<string> }[] = [];
    const blobs = new Map<string, Blob>();
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) blobs.set('blob:kept', blob);
      return 'blob:kept';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      files.push({ name: this.download, text: blobs.get(this.href)?.text() ?? Promise.resolve('') });
    });
    const fetched = vi.spyOn(globalThis, 'fetch');
    fetched.mockImplementation(async () => new Response('# From the server'));
    const { screen } = await stageDashboard(fill, { path, pages });
    await expect.element(screen.getByText('Where did the tomatoes stand?')).toBeVisible();
    const acts = screen.getByRole('button', { name: 'Actions for Which beds rest?' });
    await acts.click();
    await screen.getByRole('menuitem', { name: 'Markdown' }).click();
    await expect.poll(() => files.length).toBe(1);
    expect(await files[0]?.text).toBe('# From the server');
    // The menu gives the focus back when it has left; a click in that very moment would be taken for one beside it.
    await expect.element(acts).toHaveFocus();
    fetched.mockRejectedValue(new TypeError('no network'));
    await acts.click();
    await screen.getByRole('menuitem', { name: 'Plain text' }).click();
    await expect.poll(() => files.length).toBe(2);
    expect(files.map(({ name }) => name)).toEqual(['which-beds-rest.md', 'which-beds-rest.txt']);
    expect(await files[1]?.text).toContain('Where did the tomatoes stand?');
    await expect.element(screen.getByText('Exported from this device')).toBeVisible();
  });

  it('shows a refused message with its reason, and lets it be tried again or thrown away', async () => {
    const { screen, server, replica } = await stageDashboard(fill, { path, pages });
    await expect.element(screen.getByText('Where did the tomatoes stand?')).toBeVisible();
    server.weather.offline = true;
    await userEvent.fill(screen.getByRole('textbox', { name: /^Message in/ }), 'Too late');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText('Saved here, sent when you are online')).toBeVisible();
    server.put('workspace_member', memberRow({ position: 'read-only', surname: 'Lovelace' }));
    server.weather.offline = false;
    replica.syncNow();
    const refused = screen.getByRole('article', { name: 'Message that was not sent' });
    await expect.element(refused.getByText('Too late')).toBeVisible();
    await expect.element(refused.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect.element(screen.getByRole('textbox', { name: /^Message in/ })).not.toBeInTheDocument();
    await refused.getByRole('button', { name: 'Discard' }).click();
    await expect.element(refused).not.toBeInTheDocument();
  });

  it('fetches the messages before those of the device, and jumps back to the latest', async () => {
    const long: Head<'message'>[] = Array.from({ length: SYNC.windowMessages + 101 }, (_, index) =>
      messageRow({ threadId: beds.id, content: `Message ${index + 1}`, createdAt: minute(index) }),
    );
    const asks: (string | null)[] = [];
    answer((address, query) => {
      if (!address.includes('/messages/')) return undefined;
      asks.push(query.get('createdAt'));
      const until = query.get('createdAt')?.slice(2) ?? '';
      return long
        .filter(({ createdAt }) => createdAt <= until)
        .toReversed()
        .slice(0, Number(query.get('perPage')));
    });
    const { screen } = await stageDashboard(
      (server) => {
        server.put('thread', beds);
        server.put('message', ...long.slice(-SYNC.windowMessages));
      },
      { path, pages },
    );
    await expect.element(screen.getByText('Message 301', { exact: true })).toBeInViewport();
    // A long thread is rendered from its end, as far back as the reader scrolls.
    expect(screen.getByRole('article').elements()).toHaveLength(MESSAGES_DRAWN);
    expect(asks).toEqual([]);
    scrollTo({ top: 0 });
    await expect.element(screen.getByText('Message 202', { exact: true })).toBeInTheDocument();
    // What was on the screen has not moved away.
    await expect.element(screen.getByText('Message 252', { exact: true })).toBeInViewport();
    expect(screen.getByRole('article').elements()).toHaveLength(2 * MESSAGES_DRAWN);
    expect(asks).toEqual([]);
    await expect
      .poll(() => {
        scrollTo({ top: 0 });
        return screen.getByText('Message 1', { exact: true }).elements().length;
      })
      .toBe(1);
    expect(asks).toHaveLength(2);
    expect(screen.getByRole('article').elements()).toHaveLength(long.length);
    expect(screen.getByRole('button', { name: 'Show earlier messages' }).elements()).toEqual([]);
    await screen.getByRole('button', { name: 'Jump to latest' }).click();
    await expect.element(screen.getByText('Message 301', { exact: true })).toBeInViewport();
    await expect.element(screen.getByRole('button', { name: 'Jump to latest' })).not.toBeInTheDocument();
    // What stands in the bar is in sight; to focus it moves nothing.
    const end = scrollY;
    const acts = screen.getByRole('button', { name: 'Actions for Which beds rest?' });
    await acts.click();
    await userEvent.keyboard('{Escape}');
    await expect.element(acts).toHaveFocus();
    expect(scrollY).toBe(end);
  });

  it('shows the beginning of a long answer below its question, and leaves a reader where they went', async () => {
    const said = Array.from({ length: 30 }, (_, index) =>
      messageRow({ threadId: beds.id, content: `Message ${index + 1}`, createdAt: minute(index) }),
    );
    const { screen, server, replica } = await stageDashboard(
      (given) => {
        given.put('thread', beds);
        given.put('message', ...said);
      },
      { path, pages },
    );
    const question = screen.getByText('Message 30', { exact: true });
    await expect.element(question).toBeInViewport();
    const paragraphs = Array.from({ length: 80 }, (_, index) => `Passage ${index + 1}`);
    const replyTo = said.at(-1)?.id ?? null;
    const content = paragraphs.join('\n\n');
    server.put(
      'message',
      messageRow({ threadId: beds.id, role: 'assistant', replyTo, content, createdAt: minute(31) }),
    );
    replica.syncNow();
    await expect.element(screen.getByText('Passage 1', { exact: true })).toBeInViewport();
    await expect.element(question).toBeInViewport();
    await expect.element(screen.getByRole('button', { name: 'Jump to latest' })).not.toBeInTheDocument();
    scrollTo({ top: document.documentElement.scrollHeight });
    await expect.element(screen.getByText('Passage 80', { exact: true })).toBeInViewport();
    const end = scrollY;
    server.put('message', messageRow({ threadId: beds.id, content: 'And now?', createdAt: minute(32) }));
    replica.syncNow();
    await expect.element(screen.getByText('And now?', { exact: true })).toBeInViewport();
    expect(scrollY).toBeGreaterThan(end);
    scrollTo({ top: 0 });
    await expect.element(screen.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
    server.put('message', messageRow({ threadId: beds.id, content: 'Hello?', createdAt: minute(33) }));
    replica.syncNow();
    await expect.element(screen.getByRole('button', { name: 'New messages' })).toBeVisible();
    expect(scrollY).toBe(0);
  });

  it('does not call a thread empty when only this device has nothing of it', async () => {
    const { screen, server } = await stageDashboard((given) => given.put('thread', beds), {
      path: '/threads',
      pages,
    });
    await expect.element(screen.getByRole('link', { name: 'Which beds rest?' })).toBeVisible();
    server.weather.offline = true;
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network'));
    await screen.getByRole('link', { name: 'Which beds rest?' }).click();
    await expect
      .element(screen.getByText(/^(No message of this thread is on this device|The messages could not be)/))
      .toBeVisible();
    expect(screen.getByText('Nothing written here yet').elements()).toEqual([]);
  });

  it('shows that messages are loading until the server has responded', async () => {
    let tell: (() => void) | undefined;
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
      await told;
      return Response.json({ success: true, result: [], meta: {} });
    });
    const { screen } = await stageDashboard((given) => given.put('thread', beds), { path, pages });
    await expect.element(screen.getByText('Loading the messages')).toBeInTheDocument();
    expect(screen.getByText('Nothing written here yet').elements()).toEqual([]);
    expect(screen.getByRole('button', { name: 'Show earlier messages' }).elements()).toEqual([]);
    tell?.();
    await expect.element(screen.getByText('Nothing written here yet')).toBeVisible();
    await expect.element(screen.getByText('Loading the messages')).not.toBeInTheDocument();
  });

  it('calls a thread empty that was begun on this device just now, also offline', async () => {
    const { screen, server, router } = await stageDashboard(fill, { path: '/threads', pages });
    await expect.element(screen.getByRole('link', { name: 'Which beds rest?' })).toBeVisible();
    server.weather.offline = true;
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network'));
    const id = newId('thread');
    await mutate('thread.create', { id, name: 'Begun here' });
    await router.navigate(`/acme/threads/${id}`);
    await expect.element(screen.getByRole('textbox', { name: 'Message in Begun here' })).toBeVisible();
    await expect.element(screen.getByText('Nothing written here yet')).toBeVisible();
  });
});

describe('sharing a thread that quotes private memories', () => {
  const quoting = () =>
    answer((path) =>
      path.endsWith('/private_quotes')
        ? [{ memoryId: newId('memory'), title: 'Key of the shed' }]
        : undefined,
    );
  const visibilityOf = (server: FakeSyncServer) => server.row('thread', train.id)?.visibility;

  it('names them and leaves their passages out', async () => {
    quoting();
    const { screen, server } = await stageDashboard(fill, { path: '/threads', pages });
    openModal('shareThread', { threadId: train.id });
    await screen.getByRole('radio', { name: 'Workspace', exact: true }).click({ force: true });
    const question = screen.getByRole('alert');
    await expect.element(question.getByText('Key of the shed')).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(visibilityOf(server)).toBe('private');
    await screen.getByRole('radio', { name: 'Workspace', exact: true }).click({ force: true });
    await question.getByRole('button', { name: 'Leave those passages out' }).click();
    await waitFor(() => expect(visibilityOf(server)).toBe('workspace'));
    expect(server.pushed).toMatchObject([
      { name: 'thread.update', args: { visibility: 'workspace', quotes: 'remove' } },
    ]);
  });
});

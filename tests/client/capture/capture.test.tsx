/** Capturing: notes, links, many links, what is already there, and text that must not get lost. */
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { submitAtOnce, typeAtOnce } from '#tests/support/type-at-once.ts';
import { memoryRow, spaceRow, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import type { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { newId } from '#shared/ids.ts';
import { KINDS } from '#shared/kinds.ts';
import { memoryHead } from '#shared/memories/memory.ts';
import { textsOf } from '#client/shell/drafts.ts';
import { visibleModal } from '#client/shell/modals.ts';
import { keepEarlyPaste, takeEarlyPaste } from '#client/start/early-paste.ts';
import { waitFor } from '../../support/wait-for.ts';

const draftTexts = () => textsOf((part) => part === USER);

function savedIn(server: FakeSyncServer) {
  return [...server.rows]
    .filter(([key]) => key.startsWith(KINDS.memory.prefix))
    .map(([, { value }]) => memoryHead.parse(value));
}

/** An import that has ended. */
const IMPORTED = {
  id: newId('upload'),
  workspaceId: WORKSPACE,
  createdBy: USER,
  filename: 'notes.zip',
  folders: 'tags',
  status: 'completed',
  total: 4,
  processed: 4,
  imported: 0,
  updatedCount: 0,
  unchanged: 0,
  error: null,
  created: '2026-11-01T08:00:00.000Z',
  updated: '2026-11-01T08:01:00.000Z',
  undo: 'possible',
  removedCount: 0,
  restoredCount: 0,
  keptCount: 0,
};

describe('the import dialog', () => {
  it('lists earlier imports with what came of them, and shows the files of each', async () => {
    const job = { ...IMPORTED, imported: 2, unchanged: 1 };
    const { id } = job;
    const problems = [{ path: 'photo.png', reason: 'Not a Markdown or text file', imported: false }];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      const { pathname } = new URL(new Request(input).url);
      const result = pathname.endsWith(id)
        ? { ...job, problems, kept: [] }
        : [{ ...job, remarks: 1, leftOut: 1 }];
      return Response.json({ success: true, result, meta: { total: 1 } });
    });
    const { screen } = await stageDashboard(() => undefined);
    await screen.getByRole('button', { name: 'Import notes and bookmarks' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Import notes and bookmarks' });
    const line = dialog.getByRole('button', { name: /^notes\.zip.*2 new, 1 already here, 1 left out$/ });
    await expect.element(line).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await line.click();
    await expect.element(dialog.getByText('photo.png')).toBeVisible();
    await expect.element(dialog.getByText(/Skipped\. Not a Markdown or text file/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Import another' }).click();
    await expect.element(line).toBeVisible();
    await userEvent.keyboard('{Escape}');
    vi.restoreAllMocks();
  });
});

describe('an import that is undone', () => {
  it('is asked about from the list, followed to its end, and names what stayed', async () => {
    const job = { ...IMPORTED, imported: 4, updatedCount: 1 };
    const { id } = job;
    const stayed = { path: 'kitchen/bread.md', reason: 'Changed since the import' };
    const done = { undo: 'done', removedCount: 3, restoredCount: 1, keptCount: 1 };
    let asked = 0;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      const { pathname } = new URL(new Request(input).url);
      const whole = { ...job, problems: [], kept: [] };
      if (pathname.endsWith('/undo')) asked += 1;
      const result = pathname.endsWith('/undo')
        ? { ...whole, undo: 'running' }
        : !pathname.endsWith(id)
          ? [{ ...job, remarks: 0, leftOut: 0, ...(asked > 0 && done) }]
          : asked === 0
            ? whole
            : { ...whole, ...done, kept: [stayed] };
      return Response.json({ success: true, result, meta: { total: 1 } });
    });
    const { screen } = await stageDashboard(() => undefined);
    await screen.getByRole('button', { name: 'Import notes and bookmarks' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Import notes and bookmarks' });
    const fromList = dialog.getByRole('button', { name: 'Undo the import of notes.zip' });
    await fromList.click();
    const question = screen.getByRole('alertdialog', { name: 'Undo the import of notes.zip?' });
    await expect.element(question).toMatchTextContent(/the 4 memories that it made.*get their earlier text/);
    expect(await accessibilityFaults()).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(question).not.toBeInTheDocument();
    expect(asked).toBe(0);

    await dialog.getByRole('button', { name: 'Undo import' }).click();
    await question.getByRole('button', { name: 'Undo import' }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect
      .element(dialog.getByText('Undone: 3 deleted, 1 as before the import, 1 stayed.'))
      .toBeVisible();
    expect(asked).toBe(1);
    const kept = dialog.getByRole('list', { name: 'Kept items' });
    await expect.element(kept).toMatchTextContent(/kitchen\/bread\.md.*Changed since the import/);
    await expect.element(dialog.getByRole('button', { name: 'Undo import' })).not.toBeInTheDocument();
    expect(await accessibilityFaults()).toEqual([]);

    await expect.element(dialog.getByRole('button', { name: 'Done' })).toHaveFocus();
    await dialog.getByRole('button', { name: 'Import another' }).click();
    await expect
      .element(dialog.getByRole('button', { name: /^notes\.zip.*Undone: 3 deleted/ }))
      .toBeVisible();
    await expect.element(fromList).not.toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    vi.restoreAllMocks();
  });
});

describe('quick capture', () => {
  it('saves a note with mod+Enter, clears the field and offers Undo and Open', async () => {
    const { screen, server } = await stageDashboard(() => undefined);
    const field = screen.getByRole('textbox', { name: 'Save a memory' });
    await userEvent.fill(field, '# Groceries\n\nmilk');
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(screen.getByText('Saved', { exact: true })).toBeVisible();
    await expect.element(field).toHaveValue('');
    await expect.element(screen.getByRole('link', { name: 'Groceries' })).toBeVisible();
    await waitFor(() => {
      expect(savedIn(server)).toMatchObject([{ title: 'Groceries', notes: 'milk', origin: 'manual_entry' }]);
    });
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(screen.getByRole('link', { name: 'Groceries' })).not.toBeInTheDocument();
  });

  it('accepts the next texts while the first is being saved, and restores an unsent one', async () => {
    const { screen, server } = await stageDashboard(() => undefined);
    const field = screen.getByRole('textbox', { name: 'Save a memory' });
    await expect.element(field).toBeVisible();
    for (const text of ['# First', '# Second', '# Third']) {
      typeAtOnce(field.element(), text);
      submitAtOnce(field.element());
    }
    typeAtOnce(field.element(), 'Half a fourth');
    await waitFor(() => {
      expect(savedIn(server).map(({ title }) => title)).toEqual(['First', 'Second', 'Third']);
    });
    await expect.element(field).toHaveValue('Half a fourth');
    await expect.poll(() => draftTexts()).toEqual(['Half a fourth']);
  });

  it('brings a text that could not be saved back before what was typed meanwhile', async () => {
    const { screen, replica } = await stageDashboard(() => undefined);
    const field = screen.getByRole('textbox', { name: 'Save a memory' });
    await expect.element(field).toBeVisible();
    vi.spyOn(replica, 'mutateAll').mockRejectedValueOnce(new Error('The disk is full'));
    typeAtOnce(field.element(), 'Not kept');
    submitAtOnce(field.element());
    typeAtOnce(field.element(), 'Typed meanwhile');
    await expect.element(field).toHaveValue('Not kept\n\nTyped meanwhile');
    await expect.poll(() => draftTexts()).toEqual(['Not kept\n\nTyped meanwhile']);
    vi.restoreAllMocks();
  });

  it('saves a list of addresses as separate memories', async () => {
    const { screen, server } = await stageDashboard(() => undefined);
    await userEvent.fill(
      screen.getByRole('textbox', { name: 'Save a memory' }),
      'https://a.example/\nhttps://b.example/',
    );
    await screen.getByRole('button', { name: 'Save 2 links' }).click();
    await expect.element(screen.getByText('2 memories saved')).toBeVisible();
    await waitFor(() => {
      expect(savedIn(server).map(({ url, contentStatus }) => [url, contentStatus])).toEqual(
        expect.arrayContaining([
          ['https://a.example/', 'pending'],
          ['https://b.example/', 'pending'],
        ]),
      );
    });
  });

  it('lists addresses in the order in which they were given', async () => {
    const { screen } = await stageDashboard(() => undefined);
    const names = Array.from({ length: 12 }, (_unused, n) => `list.example/${n}`);
    await userEvent.fill(
      screen.getByRole('textbox', { name: 'Save a memory' }),
      names.map((name) => `https://${name}`).join('\n'),
    );
    await screen.getByRole('button', { name: 'Save 12 links' }).click();
    const shown = () =>
      screen
        .getByRole('link', { name: /^list\.example/ })
        .elements()
        .map((link) => link.textContent);
    await expect.poll(() => shown().slice(0, 8)).toEqual(names.slice(0, 8));
  });

  it('leads to the memory that already has the address, also from the archive', async () => {
    const known = memoryRow({
      title: 'Known',
      type: 'link',
      url: 'https://www.example.com/page?utm_source=mail',
      archived: true,
    });
    const { screen, server } = await stageDashboard((fill) => fill.put('memory', known));
    await expect.element(screen.getByText('Save your first memory')).toBeVisible();
    const field = screen.getByRole('textbox', { name: 'Save a memory' });
    await userEvent.fill(field, 'http://example.com/page');
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(screen.getByText('Already in your memories')).toBeVisible();
    await screen.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Known' })).toBeVisible();
    await waitFor(() => expect(server.row('memory', known.id)?.archived).toBe(false));
    expect(savedIn(server)).toHaveLength(1);
  });

  it('counts a known memory as changed now, also when it was never archived', async () => {
    const known = memoryRow({ title: 'Known', type: 'link', url: 'https://www.example.com/page' });
    const { screen, server } = await stageDashboard((fill) => fill.put('memory', known));
    await expect.element(screen.getByRole('link', { name: 'Known' })).toBeVisible();
    await userEvent.fill(screen.getByRole('textbox', { name: 'Save a memory' }), 'http://example.com/page');
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(screen.getByText('Already in your memories')).toBeVisible();
    const since = () => Date.parse(server.row('memory', known.id)?.updated ?? '') - Date.parse(known.updated);
    await expect.poll(since).toBeGreaterThan(0);
    expect(savedIn(server)).toHaveLength(1);
  });
});

describe('words beside an address that is known already', () => {
  it('are sent, and the known memory is what the toast leads to', async () => {
    const known = memoryRow({ title: 'Known', type: 'link', url: 'https://www.example.com/page' });
    const { screen, server } = await stageDashboard((fill) => fill.put('memory', known));
    await expect.element(screen.getByRole('link', { name: 'Known' })).toBeVisible();
    const field = screen.getByRole('textbox', { name: 'Save a memory' });
    await userEvent.fill(field, 'http://example.com/page\nWhy it matters to me');
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(screen.getByText('Already in your memories, with your words added')).toBeVisible();
    await waitFor(() => expect(savedIn(server).map(({ notes }) => notes)).toContain('Why it matters to me'));
    await screen.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Known' })).toBeVisible();
  });
});

describe('the capture sheet', () => {
  it('opens with c, restores its text after it was closed, and saves', async () => {
    const { screen, server } = await stageDashboard(() => undefined);
    await expect.element(screen.getByText('Save your first memory')).toBeVisible();
    await userEvent.keyboard('c');
    const sheet = screen.getByRole('dialog', { name: 'Save a memory' });
    await expect.element(sheet.getByRole('textbox')).toHaveFocus();
    expect(await accessibilityFaults()).toEqual([]);
    await userEvent.keyboard('half a thought');
    await userEvent.keyboard('{Escape}');
    await expect.element(sheet).not.toBeInTheDocument();
    await userEvent.keyboard('c');
    await expect.element(sheet.getByRole('textbox')).toHaveValue('half a thought');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect.element(sheet).not.toBeInTheDocument();
    await waitFor(() => expect(savedIn(server)).toMatchObject([{ notes: 'half a thought' }]));
  });

  it.each(['guest', 'read-only'] as const)(
    'stays closed for a %s, and keeps no other away',
    async (position) => {
      const { screen } = await stageDashboard((fill) => fill.put('space', spaceRow({ name: 'Garden' })), {
        position,
      });
      await expect.element(screen.getByRole('link', { name: 'Garden' }).first()).toBeVisible();
      await userEvent.keyboard('ct');
      await expect.poll(visibleModal).toBeUndefined();
      await userEvent.keyboard('?');
      await expect.element(screen.getByRole('dialog')).toBeVisible();
      await userEvent.keyboard('{Escape}');
      await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    },
  );

  it('makes tags of typed words, with a way back, and has fields for tags and space', async () => {
    const garden = spaceRow({ name: 'Garden' });
    const known = memoryRow({ title: 'Known', tags: ['seeds'] });
    const { screen, server } = await stageDashboard((fill) => {
      fill.put('space', garden);
      fill.put('memory', known);
    });
    await expect.element(screen.getByRole('link', { name: 'Known' })).toBeVisible();
    await userEvent.keyboard('c');
    const sheet = screen.getByRole('dialog', { name: 'Save a memory' });
    const field = sheet.getByRole('textbox');
    await expect.element(field).toHaveFocus();
    await userEvent.fill(field, 'Water the beds #home #green');
    await expect.element(sheet.getByText('home', { exact: true })).toBeVisible();
    await sheet.getByRole('button', { name: 'Keep #green in the text' }).click();
    await expect.element(sheet.getByText('green', { exact: true })).not.toBeInTheDocument();
    await sheet.getByRole('button', { name: 'Tags', exact: true }).click();
    const choice = screen.getByRole('combobox', { name: 'Tags' });
    await userEvent.fill(choice, 'seed');
    await userEvent.keyboard('{Enter}');
    await expect.element(sheet.getByRole('button', { name: 'Remove seeds' })).toBeInTheDocument();
    expect(await accessibilityFaults()).toEqual([]);
    await userEvent.keyboard('{Escape}');
    await expect.element(choice).not.toBeInTheDocument();
    await sheet.getByRole('combobox', { name: 'Space' }).selectOptions('Garden');
    await sheet.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(sheet).not.toBeInTheDocument();
    await waitFor(() => {
      const saved = savedIn(server).find(({ id }) => id !== known.id);
      expect(saved).toMatchObject({
        notes: 'Water the beds #green',
        tags: ['seeds', 'home'],
        spaceId: garden.id,
      });
    });
  });

  it('takes text that was pasted before its code was there', async () => {
    keepEarlyPaste();
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'Pasted at once');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    const { screen } = await stageDashboard(() => undefined);
    const sheet = screen.getByRole('dialog', { name: 'Save a memory' });
    await expect.element(sheet.getByRole('textbox')).toHaveValue('Pasted at once');
  });

  it('takes nothing that was pasted long before, by another person for one', async () => {
    keepEarlyPaste();
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'Pasted before the log-in');
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() - 60_000);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    clock.mockRestore();
    expect(takeEarlyPaste()).toBeUndefined();
  });

  it('takes text that is pasted anywhere outside of fields', async () => {
    const { screen } = await stageDashboard(() => undefined);
    await expect.element(screen.getByText('Save your first memory')).toBeVisible();
    const data = new DataTransfer();
    data.setData('text/plain', 'https://pasted.example/');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    await expect
      .element(screen.getByRole('dialog', { name: 'Save a memory' }).getByRole('textbox'))
      .toHaveValue('https://pasted.example/');
  });
});

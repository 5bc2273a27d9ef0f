/** The home page over a real replica: its list, keyboard and selection, and its empty states. */
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { bodyFields } from '#shared/memories/body.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memoryRow, minute, spaceRow } from '#tests/support/replica-rows.ts';

const rows = ['First', 'Second', 'Third'].map((title, index) =>
  memoryRow({ title, created: minute(-index), updated: minute(-index), ...bodyFields(`Text of ${title}`) }),
);

describe('the home page', () => {
  it('lists memories newest first and opens one over the page', async () => {
    const { screen, router } = await stageDashboard((server) => server.put('memory', ...rows));
    const list = screen.getByRole('list', { name: 'Home' });
    await expect.element(list.getByRole('link').nth(0)).toHaveTextContent('First');
    await expect.element(list.getByRole('link').nth(2)).toHaveTextContent('Third');
    await list.getByRole('link', { name: 'Second' }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Second' })).toBeVisible();
    expect(router.state.location.search).toBe(`?memory=${rows[1]?.id}`);
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(list.getByRole('link', { name: 'Second' })).toHaveFocus();
    expect(router.state.location.search).toBe('');
  });

  it('moves with j and k, archives with a and takes it back with mod+Z', async () => {
    const { screen } = await stageDashboard((server) => server.put('memory', ...rows));
    await expect.element(screen.getByRole('link', { name: 'First' })).toBeVisible();
    await userEvent.keyboard('jj');
    await expect.element(screen.getByRole('link', { name: 'Second' })).toHaveFocus();
    await userEvent.keyboard('k');
    await expect.element(screen.getByRole('link', { name: 'First' })).toHaveFocus();
    await userEvent.keyboard('a');
    await expect.element(screen.getByRole('link', { name: 'First' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('link', { name: 'Second' })).toHaveFocus();
    await expect.element(screen.getByText('Memory archived')).toBeVisible();
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect.element(screen.getByRole('link', { name: 'First' })).toBeVisible();
  });

  it('marks several and deletes them at once, with one undo', async () => {
    const { screen } = await stageDashboard((server) => server.put('memory', ...rows));
    await expect.element(screen.getByRole('link', { name: 'First' })).toBeVisible();
    await userEvent.keyboard('jxjx');
    const bar = screen.getByRole('toolbar', { name: 'Selected memories' });
    await expect.element(bar.getByText('2 selected')).toBeVisible();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await expect.element(screen.getByText('2 memories deleted')).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'First' })).not.toBeInTheDocument();
    await expect.element(bar).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(screen.getByRole('link', { name: 'First' })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Second' })).toBeVisible();
  });

  it('extends the selection with shift, by arrows and by letters, and shrinks it on the way back', async () => {
    const { screen } = await stageDashboard((server) => server.put('memory', ...rows));
    await expect.element(screen.getByRole('link', { name: 'First' })).toBeVisible();
    const count = (words: string) =>
      expect
        .element(screen.getByRole('toolbar', { name: 'Selected memories' }).getByText(words))
        .toBeVisible();
    await userEvent.keyboard('j');
    await expect.element(screen.getByRole('link', { name: 'First' })).toHaveFocus();
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await count('2 selected');
    await expect.element(screen.getByRole('link', { name: 'Second' })).toHaveFocus();
    await userEvent.keyboard('{Shift>}J{/Shift}');
    await count('3 selected');
    await userEvent.keyboard('{Shift>}K{/Shift}');
    await count('2 selected');
    await expect.element(screen.getByRole('checkbox', { name: /Third/ })).not.toBeChecked();
    await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}');
    await count('1 selected');
    await expect.element(screen.getByRole('link', { name: 'First' })).toHaveFocus();
  });

  it('stores filters in the address and shows when nothing matches', async () => {
    const { screen, router } = await stageDashboard((server) => {
      server.put('memory', memoryRow({ title: 'Tagged', tags: ['sync'] }), memoryRow({ title: 'Plain' }));
    });
    await screen.getByRole('button', { name: 'Tag', exact: true }).click();
    await screen.getByRole('option', { name: /sync/ }).click();
    await expect.element(screen.getByRole('link', { name: 'Plain' })).not.toBeInTheDocument();
    expect(new URLSearchParams(router.state.location.search).get('tag')).toBe('sync');
    await userEvent.keyboard('{Escape}');
    await router.navigate('/acme?tag=sync&type=file');
    await expect.element(screen.getByText('Nothing matches these filters')).toBeVisible();
    await screen.getByRole('button', { name: 'Clear filters' }).last().click();
    await expect.element(screen.getByRole('link', { name: 'Plain' })).toBeVisible();
  });

  it('shows the archive and what was deleted, and brings both back', async () => {
    const { screen } = await stageDashboard((server) => {
      server.put('memory', memoryRow({ title: 'Old', archived: true }));
      server.put('memory', memoryRow({ title: 'Gone', deletedAt: minute(5) }));
    });
    await expect.element(screen.getByText('Save your first memory')).toBeVisible();
    await screen.getByRole('radio', { name: 'Archive' }).click();
    await expect.element(screen.getByRole('link', { name: 'Old' })).toBeVisible();
    await screen.getByRole('radio', { name: 'Deleted' }).click();
    await screen.getByRole('link', { name: 'Gone' }).click();
    await screen.getByRole('button', { name: 'Restore' }).click();
    await expect.element(screen.getByText('Memory restored')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await screen.getByRole('radio', { name: 'Memories' }).click();
    await expect.element(screen.getByRole('link', { name: 'Gone' })).toBeVisible();
  });

  it('shows on each row the time that its heading is about', async () => {
    const now = new Date();
    const month = new Date(now.getFullYear(), now.getMonth() - 2, 15, 12);
    const [today, before] = [now.toISOString(), month.toISOString()];
    const rowsOf = (deletedAt: string | null) => [
      memoryRow({ title: 'Moved', created: before, updated: today, deletedAt }),
      memoryRow({ title: 'Still', created: before, updated: before, deletedAt: deletedAt && before }),
    ];
    const { screen, router } = await stageDashboard((server) =>
      server.put('memory', ...rowsOf(null), ...rowsOf(today)),
    );
    for (const query of ['?sort=updated', '?view=deleted']) {
      await router.navigate(`/acme${query}`);
      const list = screen.getByRole('list', {
        name: query === '?view=deleted' ? 'Recently deleted' : 'Home',
      });
      await expect.element(list.getByRole('heading', { name: 'Today' })).toBeVisible();
      const times = [...list.element().querySelectorAll('li:has([data-item])')].map((item) =>
        [...item.querySelectorAll('time')].map((time) => time.dateTime),
      );
      expect(times).toEqual([
        [today, today],
        [before, before],
      ]);
    }
  });

  it('shows words of a file below its title, not its name', async () => {
    const file = { type: 'file', filename: 'scan-0412.pdf' } as const;
    const { screen } = await stageDashboard((server) =>
      server.put(
        'memory',
        memoryRow({ ...file, title: 'Deed of the house', metadata: { lead: 'Signed in Concord' } }),
        memoryRow({ ...file, title: 'A scan without words' }),
      ),
    );
    await expect.element(screen.getByText('Signed in Concord')).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'A scan without words' })).toBeVisible();
    await expect.element(screen.getByText(/scan-0412/)).not.toBeInTheDocument();
  });

  it('offers no way to write to people who may only read', async () => {
    const { screen } = await stageDashboard(
      (server) => {
        server.put('memory', ...rows);
        server.put('space', spaceRow({ name: 'Research' }));
      },
      { position: 'read-only' },
    );
    await screen.getByRole('link', { name: 'First' }).click();
    const viewer = screen.getByRole('dialog', { name: 'First' });
    await expect.element(viewer.getByText('Text of First')).toBeVisible();
    expect(viewer.getByRole('textbox').elements()).toEqual([]);
    expect(viewer.getByRole('button', { name: /Archive|Delete|Tag|space|Write/ }).elements()).toEqual([]);
    await userEvent.keyboard('{Escape}');
    await expect.element(viewer).not.toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'Save a memory' }).elements()).toEqual([]);
    expect(screen.getByRole('button', { name: 'New space' }).elements()).toEqual([]);
    await userEvent.keyboard('c');
    await userEvent.keyboard('ja');
    await expect.element(screen.getByRole('link', { name: 'First' })).toBeVisible();
    expect(screen.getByRole('dialog').elements()).toEqual([]);
  });
});

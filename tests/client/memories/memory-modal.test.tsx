/** The viewer and editor of one memory: saving while typing, tags and spaces, and memories that are not there. */
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { newId } from '#shared/ids.ts';
import { KINDS } from '#shared/kinds.ts';
import { space as spaceEntity } from '#shared/spaces/space.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { grantRow, linkRow, memoryRow, minute, spaceRow } from '#tests/support/replica-rows.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('the memory viewer', () => {
  it('saves the title and the notes while they are typed', async () => {
    const row = memoryRow({ title: 'Draft', ...bodyFields('Before') });
    const { screen, server } = await stageDashboard((fill) => fill.put('memory', row), {
      path: `?memory=${row.id}`,
    });
    await userEvent.fill(screen.getByRole('textbox', { name: 'Title' }), 'Final');
    await screen.getByRole('radio', { name: 'Write' }).click();
    await userEvent.fill(screen.getByRole('textbox', { name: 'Notes in Markdown' }), '**After**');
    await screen.getByRole('radio', { name: 'Preview' }).click();
    await expect.element(screen.getByRole('dialog').getByText('After')).toBeVisible();
    await waitFor(() => {
      expect(server.row('memory', row.id)).toMatchObject({ title: 'Final', notes: '**After**' });
    });
  });

  it('lets a guest who may write edit what is filed in the shared space, also without a home', async () => {
    const space = spaceRow({ ownerId: newId('user'), visibility: 'custom' });
    const row = memoryRow({ title: 'Draft', ownerId: newId('user') });
    const { screen } = await stageDashboard(
      (fill) => {
        fill.put('space', space);
        fill.put('memory', row);
        fill.put('space_memory', linkRow(space.id, row.id));
        fill.put('grant', grantRow({ resourceId: space.id, level: 'write' }));
      },
      { path: `?memory=${row.id}`, position: 'guest' },
    );
    await expect.element(screen.getByRole('textbox', { name: 'Title' })).toBeVisible();
  });

  it('shows for a waiting link that its page will be fetched', async () => {
    const link = { type: 'link', url: 'https://a.example/', contentStatus: 'pending' } as const;
    const row = memoryRow({ title: 'Saved page', ...link });
    const { screen } = await stageDashboard((fill) => fill.put('memory', row), { path: `?memory=${row.id}` });
    const viewer = screen.getByRole('dialog', { name: 'Saved page' });
    await expect.element(viewer.getByText(/^The page behind this link is fetched soon/)).toBeVisible();
    await expect.element(viewer.getByText('Waiting', { exact: true })).toBeVisible();
  });

  it('saves both texts when the notes were changed elsewhere in between', async () => {
    const row = memoryRow({ ...bodyFields('Before') });
    const { screen, server } = await stageDashboard((fill) => fill.put('memory', row), {
      path: `?memory=${row.id}`,
    });
    await screen.getByRole('radio', { name: 'Write' }).click();
    server.put('memory', { ...row, ...bodyFields('Theirs') });
    await userEvent.fill(screen.getByRole('textbox', { name: 'Notes in Markdown' }), 'Mine');
    await waitFor(() => {
      const notes = server.row('memory', row.id)?.notes ?? '';
      expect(notes).toContain('Mine');
      expect(notes).toContain('Theirs');
    });
  });

  it('loses no text when it is closed right after typing', async () => {
    const row = memoryRow({ title: 'Quick', ...bodyFields(null) });
    const { screen, server } = await stageDashboard((fill) => fill.put('memory', row), {
      path: `?memory=${row.id}`,
    });
    await userEvent.fill(screen.getByRole('textbox', { name: 'Notes in Markdown' }), 'Typed and gone');
    await screen.getByRole('button', { name: 'Close' }).click();
    await waitFor(() => expect(server.row('memory', row.id)?.notes).toBe('Typed and gone'));
  });

  it('has its shortcuts, also without notes', async () => {
    const link = { type: 'link', url: 'https://example.com/' } as const;
    const row = memoryRow({ title: 'Only a title', ...link, ...bodyFields(null) });
    const { screen } = await stageDashboard((fill) => fill.put('memory', row));
    await expect.element(screen.getByRole('link', { name: 'Only a title' })).toBeVisible();
    await userEvent.keyboard('j');
    await userEvent.keyboard('o');
    const viewer = screen.getByRole('dialog', { name: 'Only a title' });
    await expect.element(viewer.getByRole('button', { name: 'Add notes' })).toBeVisible();
    await userEvent.keyboard(']');
    await expect.element(viewer.getByText('Details')).not.toBeInTheDocument();
    await userEvent.keyboard(']');
    await expect.element(viewer.getByText('Details')).toBeVisible();
    await userEvent.keyboard('e');
    await expect.element(viewer.getByRole('textbox', { name: 'Notes in Markdown' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(viewer).not.toBeInTheDocument();
  });

  it('makes a tag and files the memory in a space by keyboard alone', async () => {
    const row = memoryRow({ title: 'Loose', ...bodyFields('Text') });
    const space = spaceRow({ name: 'Research' });
    const { screen, server } = await stageDashboard(
      (fill) => {
        fill.put('memory', row);
        fill.put('space', space);
      },
      { path: `?memory=${row.id}` },
    );
    await expect.element(screen.getByRole('dialog', { name: 'Loose' })).toBeVisible();
    await userEvent.keyboard('l');
    await expect.element(screen.getByRole('combobox', { name: 'Tags' })).toHaveFocus();
    await userEvent.keyboard('Local-First{Enter}');
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('button', { name: 'Remove local-first' })).toBeVisible();
    await userEvent.keyboard('m');
    await expect.element(screen.getByRole('combobox', { name: 'Spaces' })).toHaveFocus();
    await userEvent.keyboard('rese{Enter}{Escape}');
    await expect.element(screen.getByRole('button', { name: 'Remove from Research' })).toBeVisible();
    await waitFor(() => {
      expect(server.row('memory', row.id)?.tags).toEqual(['local-first']);
      expect(server.row('space_memory', `${space.id}/${row.id}`)).toBeDefined();
    });
  });

  it('makes a space of a typed name for the memory, and one undo takes it back', async () => {
    const row = memoryRow({ title: 'Loose', ...bodyFields('Text') });
    const other = spaceRow({ name: 'Research' });
    const { screen, server } = await stageDashboard(
      (fill) => {
        fill.put('memory', row);
        fill.put('space', other);
      },
      { path: `?memory=${row.id}` },
    );
    const viewer = screen.getByRole('dialog', { name: 'Loose' });
    await expect.element(viewer).toBeVisible();
    await userEvent.keyboard('m');
    await expect.element(screen.getByRole('combobox', { name: 'Spaces' })).toHaveFocus();
    await userEvent.keyboard('  Winter garden {Enter}');
    await expect.element(screen.getByText('Memory added to Winter garden')).toBeVisible();
    await expect.element(viewer.getByRole('button', { name: 'Remove from Winter garden' })).toBeVisible();
    const made = () =>
      [...server.rows].flatMap(([key, { value }]) => {
        const space = key.startsWith(KINDS.space.prefix) ? spaceEntity.row.parse(value) : undefined;
        return space?.slug === 'winter-garden' ? [space] : [];
      })[0];
    await waitFor(() => {
      expect(made()).toMatchObject({ name: 'Winter garden', visibility: 'workspace', deletedAt: null });
      expect(server.row('space_memory', `${made()?.id}/${row.id}`)).toBeDefined();
    });
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect
      .element(viewer.getByRole('button', { name: 'Remove from Winter garden' }))
      .not.toBeInTheDocument();
    await waitFor(() => expect(made()?.deletedAt).not.toBeNull());
  });

  it('makes a private space for a memory that the workspace does not read', async () => {
    const diary = spaceRow({ name: 'Diary', visibility: 'private' });
    const row = memoryRow({ title: 'Secret', spaceId: diary.id, ...bodyFields('Text') });
    const { screen, server } = await stageDashboard(
      (fill) => {
        fill.put('memory', row);
        fill.put('space', diary);
      },
      { path: `?memory=${row.id}` },
    );
    await expect.element(screen.getByRole('dialog', { name: 'Secret' })).toBeVisible();
    await userEvent.keyboard('m');
    await expect.element(screen.getByRole('combobox', { name: 'Spaces' })).toHaveFocus();
    await userEvent.keyboard('Notes{Enter}');
    await expect.element(screen.getByText('Memory added to Notes')).toBeVisible();
    await waitFor(() => {
      const spaces = [...server.rows].flatMap(([key, { value }]) =>
        key.startsWith(KINDS.space.prefix) ? [spaceEntity.row.parse(value)] : [],
      );
      expect(spaces.find(({ name }) => name === 'Notes')?.visibility).toBe('private');
    });
  });

  it('links notes by their titles, shows what refers to it and what is related, and closes at once', async () => {
    const beds = memoryRow({
      title: 'Raised beds',
      ...bodyFields('Old planks hold the soil'),
      tags: ['garden'],
    });
    const text = 'Build [[raised  BEDS|the beds]], not [[Unknown]] or `[[Raised beds]]`';
    const plan = memoryRow({ title: 'Plan', ...bodyFields(text) });
    const soil = memoryRow({ title: 'Soil', ...bodyFields('Planks rot in wet soil'), tags: ['garden'] });
    const gone = memoryRow({ title: 'Gone', ...bodyFields('[[Raised beds]]'), deletedAt: minute(1) });
    const { screen, router } = await stageDashboard((fill) => fill.put('memory', beds, plan, soil, gone));
    await screen.getByRole('link', { name: 'Plan' }).click();
    const first = screen.getByRole('dialog', { name: 'Plan' });
    await expect.element(first.getByRole('link', { name: 'the beds' })).toBeVisible();
    expect(first.getByRole('region', { name: 'Notes' }).element().textContent).toContain(
      'Build the beds, not [[Unknown]] or [[Raised beds]]',
    );
    await first.getByRole('link', { name: 'the beds' }).click();
    const second = screen.getByRole('dialog', { name: 'Raised beds' });
    const linkedFrom = second.getByRole('region', { name: 'Linked from' });
    await expect.element(linkedFrom.getByRole('link', { name: /Plan$/ })).toBeVisible();
    await expect.poll(() => linkedFrom.getByRole('link').elements().length).toBe(1);
    const related = second.getByRole('region', { name: 'Related' });
    await expect.element(related.getByRole('link', { name: /Soil ?#garden$/ })).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    expect(router.state.location.search).toBe('');
  });

  it('suggests tags that memories about the same have, and adds one with a press, offline too', async () => {
    const about = (title: string, tags: string[]) =>
      memoryRow({ title, ...bodyFields('Sourdough rises slowly in a cold kitchen'), tags });
    const loaves = [
      about('Rye', ['bread', 'winter']),
      about('Spelt', ['bread', 'winter']),
      about('Oat', ['bread']),
    ];
    const row = about('Starter', []);
    const others = Array.from({ length: 40 }, (_, n) =>
      memoryRow({ title: `Bed ${n}`, ...bodyFields('Old planks') }),
    );
    const { screen, server } = await stageDashboard((fill) => fill.put('memory', ...loaves, ...others, row), {
      path: `?memory=${row.id}`,
    });
    const viewer = screen.getByRole('dialog', { name: 'Starter' });
    const suggested = viewer.getByRole('list', { name: 'Suggested tags' });
    await expect.element(suggested.getByRole('button', { name: 'Add #bread' })).toBeVisible();
    // Two of three say nothing.
    expect(suggested.getByRole('button').elements()).toHaveLength(1);
    expect(await accessibilityFaults()).toEqual([]);
    server.weather.offline = true;
    await suggested.getByRole('button', { name: 'Add #bread' }).click();
    await expect.element(viewer.getByRole('button', { name: 'Remove bread' })).toBeVisible();
    await expect.element(suggested).not.toBeInTheDocument();
  });

  it('marks what a language model wrote, which is no longer marked once a person changes it', async () => {
    const automatic = { title: 'Rye bread', summary: 'How rye dough rests.', tags: ['bread'] };
    const row = memoryRow({
      title: 'Rye bread',
      ...bodyFields('Text'),
      tags: ['bread', 'mine'],
      metadata: { automatic },
    });
    const { screen, server } = await stageDashboard((fill) => fill.put('memory', row), {
      path: `?memory=${row.id}`,
    });
    const viewer = screen.getByRole('dialog', { name: 'Rye bread' });
    const written = viewer.getByRole('region', { name: 'Written automatically' });
    await expect.element(written.getByText('How rye dough rests.')).toBeVisible();
    await expect.element(written.getByText('Title and summary written by a language model')).toBeVisible();
    await expect.element(viewer.getByText('Automatic: bread')).toBeVisible();
    await expect.element(viewer.getByText('Automatic: mine')).not.toBeInTheDocument();
    expect(await accessibilityFaults()).toEqual([]);
    await written.getByRole('button', { name: 'Remove the summary' }).click();
    await expect.element(written.getByText('Title written by a language model')).toBeVisible();
    await viewer.getByRole('textbox', { name: 'Title' }).fill('My rye');
    await expect.element(written).not.toBeInTheDocument();
    await expect.poll(() => server.row('memory', row.id)?.title).toBe('My rye');
  });

  it('asks before a memory goes into a public space', async () => {
    const row = memoryRow({ title: 'Private thought', ...bodyFields('Text') });
    const space = spaceRow({ name: 'Blog', visibility: 'public' });
    const { screen } = await stageDashboard(
      (fill) => {
        fill.put('memory', row);
        fill.put('space', space);
      },
      { path: `?memory=${row.id}` },
    );
    await expect.element(screen.getByRole('dialog', { name: 'Private thought' })).toBeVisible();
    await userEvent.keyboard('m');
    await expect.element(screen.getByRole('combobox', { name: 'Spaces' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect
      .element(
        screen.getByText(/Anyone can find and see this.*tags of this memory\. Notes stay in the workspace/),
      )
      .toBeVisible();
    await screen.getByRole('button', { name: 'Cancel' }).click();
    expect(screen.getByRole('button', { name: 'Remove from Blog' }).elements()).toEqual([]);
  });

  it('shows that a memory was not found, and closing shows the page', async () => {
    const { screen, router } = await stageDashboard(() => undefined, { path: `?memory=${newId('memory')}` });
    await expect.element(screen.getByRole('dialog', { name: 'Memory not found' })).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await screen.getByRole('button', { name: 'Close' }).first().click();
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    expect(router.state.location.search).toBe('');
  });
});

/** Answers in a thread over a real replica: their sources. */
import { describe, expect, it } from 'vitest';
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

describe('an answer', () => {
  it('numbers the sources of an answer, opens them, and says which are gone', async () => {
    const note = memoryRow({ title: 'Tomatoes of 2024' });
    const thrown = memoryRow({ title: 'Thrown away', deletedAt: minute(3) });
    const citations = [
      { memoryId: note.id, quote: 'along the north wall' },
      { memoryId: thrown.id, quote: 'nobody sees this' },
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
    const gone = 'This memory is gone, or not yours to read.';
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
});

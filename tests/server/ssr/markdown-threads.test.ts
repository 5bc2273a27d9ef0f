/** The server's thread for Markdown is ended by a text that needs more than its processor time; a busy machine costs no text its form. */
import { afterEach, expect, it } from 'vitest';
import { createMarkdownThreads } from '#server/markdown/markdown-threads.ts';
import type { RenderQueue } from '#shared/markdown/render-queue.ts';
import { HOSTILE_MARKDOWN } from '#tests/support/hostile-markdown.ts';

let threads: RenderQueue | undefined;
afterEach(() => threads?.close());

/** Longer than a message may be, because no shorter text is known that needs as much. */
const SLOW = HOSTILE_MARKDOWN['footnote in footnote']?.(50_000) ?? '';
/** Far from both what that needs and what an ordinary text does, on any machine. */
const BUDGET = 200;
/** Elapsed time decides nothing here: a machine at work elsewhere is no fault of a text. */
const PATIENT = 60_000;
const NEXT = [['p', {}, ['strong', {}, 'next']]];

it('ends its thread with a text that is too slow, starts another and continues', async () => {
  threads = createMarkdownThreads({ budgetMs: BUDGET, limitMs: PATIENT });
  expect(await threads.trees([SLOW, '**next**'])).toEqual([null, NEXT]);
  // Kept: the same text does not cost a second thread.
  expect(await threads.trees([SLOW, '**next**'])).toEqual([null, NEXT]);
});

it('formats the same text where it may take as long as it needs', async () => {
  threads = createMarkdownThreads({ budgetMs: PATIENT, limitMs: PATIENT });
  expect(await threads.trees([SLOW])).toEqual([expect.any(Array)]);
});

it('gives up a text that got no processor time, and formats it at the next request', async () => {
  const text = HOSTILE_MARKDOWN['prose']?.(60_000) ?? '';
  threads = createMarkdownThreads({ limitMs: 0 });
  expect(await threads.trees([text])).toEqual([undefined]);
  threads.close();
  threads = createMarkdownThreads({ limitMs: PATIENT });
  expect(await threads.trees([text])).toEqual([expect.any(Array)]);
});

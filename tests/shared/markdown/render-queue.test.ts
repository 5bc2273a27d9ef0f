/** The queue ends a worker at its limits and continues with another; results are kept by text. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRenderQueue, type RenderWorker, type WorkerEvents } from '#shared/markdown/render-queue.ts';
import type { MarkdownRequest } from '#shared/markdown/render-task.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A worker that finishes a text when the test says so. */
interface Started {
  events: WorkerEvents;
  sent: MarkdownRequest[];
  isEnded: boolean;
}

/** `spent` is the processor time of the text in hand; undefined where it is not measured. */
function setUp(spent?: () => number) {
  const workers: Started[] = [];
  const queue = createRenderQueue({
    budgetMs: 250,
    limitMs: 2_000,
    start(events): RenderWorker {
      const started: Started = { events, sent: [], isEnded: false };
      workers.push(started);
      queueMicrotask(() => events.onReady());
      return {
        send: (request) => started.sent.push(request),
        terminate: () => (started.isEnded = true),
        ...(spent && { spentMs: async () => spent() }),
      };
    },
  });
  const finish = (index: number): void => {
    const request = workers[index]?.sent.at(-1);
    if (request) workers[index]?.events.onReply({ id: request.id, result: [request.text] });
  };
  return { queue, workers, finish, advance: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

describe('a text that uses up its processor time', () => {
  it('ends its worker, is shown as it is from then on, and the next text gets another worker', async () => {
    const { queue, workers, finish, advance } = setUp(() => 251);
    const both = queue.trees(['slow', 'next']);
    await advance(249);
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([false]);
    await advance(1);
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
    finish(1);
    expect(await both).toEqual([null, ['next']]);
    expect(await queue.trees(['slow'])).toEqual([null]);
    expect(workers.flatMap(({ sent }) => sent.map(({ text }) => text))).toEqual(['slow', 'next']);
  });
});

describe('a text that waits for a busy machine', () => {
  it('is given as long as its worker has not used its processor time', async () => {
    const { queue, workers, finish, advance } = setUp(() => 100);
    const made = queue.trees(['innocent']);
    await advance(1_900);
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([false]);
    finish(0);
    expect(await made).toEqual([['innocent']]);
  });

  it.each([
    ['measured', () => 100],
    ['not measured', undefined],
  ] as const)(
    'is given up after the longest wait and made when it is sent again; processor time %s',
    async (_name, spent) => {
      const { queue, workers, finish, advance } = setUp(spent);
      const first = queue.trees(['innocent']);
      await advance(1_999);
      expect(workers.map(({ isEnded }) => isEnded)).toEqual([false]);
      await advance(1);
      expect(await first).toEqual([undefined]);
      const second = queue.trees(['innocent']);
      await advance(0);
      finish(1);
      expect(await second).toEqual([['innocent']]);
    },
  );

  it('passes on its source with all marks escaped', async () => {
    const { queue, advance } = setUp();
    const made = queue.sources(['*a*']);
    await advance(2_000);
    expect(await made).toEqual([String.raw`\*a\*`]);
  });
});

describe('results', () => {
  it('are kept by text', async () => {
    const { queue, workers, finish, advance } = setUp();
    const twice = queue.trees(['a', 'a']);
    await advance(0);
    finish(0);
    expect(await twice).toEqual([['a'], ['a']]);
    expect(await queue.trees(['a'])).toEqual([['a']]);
    expect(workers[0]?.sent).toHaveLength(1);
  });
});

describe('a worker that fails', () => {
  it('with a text is replaced, and the text is shown as it is', async () => {
    const { queue, workers, finish, advance } = setUp();
    const both = queue.trees(['bad', 'next']);
    await advance(0);
    workers[0]?.events.onFailure();
    await advance(0);
    finish(1);
    expect(await both).toEqual([null, ['next']]);
  });
});

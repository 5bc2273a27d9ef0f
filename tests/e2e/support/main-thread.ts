/**
 * What the main thread of a page spent on its tasks, from a trace of the browser. In processor time, because a busy
 * machine lengthens every task and says nothing about the page.
 */
import type { Browser, Page } from '@playwright/test';
import { z } from 'zod';

const eventSchema = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  /** Start and length in microseconds, and the length in processor time. */
  ts: z.number().default(0),
  dur: z.number().default(0),
  tdur: z.number().default(0),
  args: z.looseObject({}).optional(),
});
type TraceEvent = z.infer<typeof eventSchema>;
const traceSchema = z.object({ traceEvents: z.array(eventSchema) });

/** A message of the browser, which runs nothing of the page: among them are those of the tools that watch it. */
const FOREIGN = 'Receive mojo message';
const SCRIPT = /^(?:v8\.callFunction|FunctionCall|RunMicrotasks)$/;

/** Processor time of the tasks that the page's main thread runs meanwhile, in ms, the longest first. */
export async function mainThreadTasks(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<number[]> {
  const categories = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8'];
  await browser.startTracing(page, { categories });
  await act();
  const { traceEvents } = traceSchema.parse(JSON.parse((await browser.stopTracing()).toString()));
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.['name'] === 'CrRendererMain')
      .map(threadOf),
  );
  const own = traceEvents.filter((event) => event.ph === 'X' && threads.has(threadOf(event)));
  const inside = (task: TraceEvent) =>
    own.filter(
      (event) =>
        threadOf(event) === threadOf(task) &&
        event.ts >= task.ts &&
        event.ts + event.dur <= task.ts + task.dur,
    );
  return own
    .filter(({ name }) => name.endsWith('RunTask'))
    .toSorted((one, other) => other.tdur - one.tdur)
    .slice(0, 20)
    .filter((task) => {
      const names = inside(task).map(({ name }) => name);
      return !names.includes(FOREIGN) || names.some((name) => SCRIPT.test(name));
    })
    .map(({ tdur }) => tdur / 1_000);
}

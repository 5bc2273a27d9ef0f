/**
 * Writes what a run of Playwright came to into the file STORY_REPORT, as reports.ts reads it, with the load of the machine
 * at each failure.
 */
import path from 'node:path';
import type { Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { type Failure, flakyNote, machineLoad, noteOf, reasonOf, ROOT, writeReport } from './reports.ts';

const failureOf = ({ message, stack = '' }: TestError): Failure => ({ message, frames: stack.split('\n') });

export default class StoryReport implements Reporter {
  readonly #stories = new Map<string, TestCase>();
  readonly #loads = new Map<string, string>();
  readonly #outside: string[] = [];
  readonly #seconds = new Map<string, number>();

  onTestEnd(story: TestCase, result: TestResult): void {
    this.#stories.set(story.id, story);
    if (result.status !== story.expectedStatus) this.#loads.set(story.id, machineLoad());
    const file = path.relative(ROOT, story.location.file);
    this.#seconds.set(file, (this.#seconds.get(file) ?? 0) + result.duration / 1_000);
  }

  onError(error: TestError): void {
    this.#outside.push(`outside of a story: ${reasonOf(failureOf(error))}`);
  }

  onEnd(): void {
    const stories = [...this.#stories.values()];
    const of = (...outcomes: ReturnType<TestCase['outcome']>[]) =>
      stories.filter((story) => outcomes.includes(story.outcome()));
    const loadOf = (story: TestCase) => this.#loads.get(story.id) ?? 'load ?';
    // A story that ran out of time has two errors: that it did, and what it was waiting for.
    const failuresOf = (story: TestCase) => story.results.flatMap(({ errors }) => errors.map(failureOf));
    const failed = of('unexpected', 'skipped').map((story) => {
      const note = noteOf(story.outcome(), story.title, story.location.file, ...failuresOf(story));
      return `${note} (${loadOf(story)})`;
    });
    writeReport('STORY_REPORT', {
      passed: of('expected', 'flaky').length,
      failed: failed.length + this.#outside.length,
      notes: [...failed, ...this.#outside],
      flaky: of('flaky').map((story) =>
        flakyNote(story.title, story.location.file, loadOf(story), failuresOf(story)),
      ),
      files: [...this.#seconds].map(([file, seconds]) => ({ file, seconds })),
    });
  }
}

/**
 * Writes what a run of Vitest came to into the file VITEST_REPORT, as reports.ts reads it. Vitest's own JSON keeps only
 * the stack of an error, which for an action in a browser lacks the message, and says nothing of errors outside of tests.
 */
import path from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import {
  type Counts,
  type Failure,
  flakyNote,
  machineLoad,
  noteOf,
  reasonOf,
  ROOT,
  writeReport,
} from './reports.ts';

/** Vitest has looked the places up in the sources, where it could. */
const failureOf = ({ message, stacks, stack }: SerializedError): Failure => ({
  message,
  frames:
    stacks && stacks.length > 0
      ? stacks.map(({ file, line }) => `${file}:${line}`)
      : (stack ?? '').split('\n'),
});

function countsOf(
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
): Omit<Counts, 'flaky'> {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const passed = tests.filter((test) => test.result().state === 'passed').length;
  const failedTests = tests.flatMap((test) => {
    const { state, errors } = test.result();
    if (state === 'passed') return [];
    return [noteOf(state, test.fullName, test.module.moduleId, ...(errors ?? []).slice(0, 1).map(failureOf))];
  });
  // A hook or an import that threw belongs to no test.
  const aroundTests = modules.flatMap((module) => {
    const suites = [...module.children.allSuites()];
    return [module, ...suites].flatMap((suite) =>
      suite.errors().map((error) => noteOf('failed', suite.type, module.moduleId, failureOf(error))),
    );
  });
  const outside = unhandled.map((error) => `outside of a test: ${reasonOf(failureOf(error))}`);
  return {
    passed,
    failed: tests.length - passed,
    notes: [...failedTests, ...aroundTests, ...outside],
    files: modules.map((module) => ({
      file: path.relative(ROOT, module.moduleId),
      seconds: module.diagnostic().duration / 1_000,
    })),
  };
}

export default class VitestReport implements Reporter {
  readonly #flaky: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const failures = (test.result().errors ?? []).map(failureOf);
    this.#flaky.push(flakyNote(test.fullName, test.module.moduleId, machineLoad(), failures));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    writeReport('VITEST_REPORT', { ...countsOf(modules, unhandled), flaky: this.#flaky });
  }
}

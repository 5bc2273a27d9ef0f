/**
 * The order of test files: those that take longest begin first. Otherwise Vitest goes by the size of a file where it has
 * no times of an earlier run, as in a fresh clone, and begins its longest, a short text, when the other worker has almost
 * nothing left to do. It decides the order only; every file is run as ever.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Files that would end last, the longest first; `npm test` prints what took longest at its end. */
const LONGEST: readonly string[] = [
  'tests/sync/fuzz.test.ts',
  'tests/sync/fuzz-broken.long.test.ts',
  'tests/server/sharing-matrix.test.ts',
  'tests/server/plantings.long.test.ts',
  'tests/server/contract/isolation.test.ts',
  'tests/server/contract/isolation-mutators.test.ts',
  'tests/server/program.test.ts',
].map((file) => {
  const full = path.join(ROOT, file);
  if (!existsSync(full))
    throw new Error(`${file} is no test file; mend the list in tests/support/longest-first.ts`);
  return full;
});

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.indexOf(path.normalize(moduleId));
  return place === -1 ? LONGEST.length : place;
};

/** Vitest's own order behind the files of the list. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const usual = await super.sort(files);
    // The groups stay one after another: browsers wait until no database is at work.
    return usual.toSorted((one, other) => groupOf(one) - groupOf(other) || placeOf(one) - placeOf(other));
  }
}

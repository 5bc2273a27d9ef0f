/** `npm run fuzz:keep -- <seed> <steps>` adds a failed history to the corpus, which every run replays first. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { CORPUS, CORPUS_FILE, rangesOf, stepsOf } from './fuzz-corpus.ts';

const [seed = '', steps = ''] = process.argv.slice(2);

if (!/^\d+$/.test(seed) || steps === '') {
  process.stderr.write('Usage: npm run fuzz:keep -- <seed> <steps>, as the failure prints it.\n');
  process.exit(1);
}
const added = { seed: Number(seed), steps: rangesOf(stepsOf(steps)) };
if (CORPUS.some((known) => known.seed === added.seed && known.steps === added.steps)) {
  process.stdout.write('The corpus has this history already.\n');
} else {
  writeFileSync(CORPUS_FILE, `${JSON.stringify([...CORPUS, added], null, 2)}\n`);
  spawnSync('oxfmt', [CORPUS_FILE], { stdio: 'inherit' });
  process.stdout.write(`The corpus has ${CORPUS.length + 1} histories.\n`);
}

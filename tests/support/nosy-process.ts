/** A process that tries what no reader of files may do, and sends how it was refused. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

function refusalOf(attempt: () => unknown): string {
  try {
    attempt();
    return 'allowed';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  }
}

process.on('message', () => {
  process.send?.({
    passwd: refusalOf(() => readFileSync('/etc/passwd')),
    write: refusalOf(() => writeFileSync('/tmp/loci-nosy', 'x')),
    spawn: refusalOf(() => spawnSync('true')),
    env: Object.keys(process.env).filter((name) => !name.startsWith('NODE_CHANNEL')),
  });
});
process.send?.('ready');

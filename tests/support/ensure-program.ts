/** Programs of the system that tests run. A test that needs one fails without it; none is skipped. */
import { spawnSync } from 'node:child_process';

/** Finds a program, or installs its Debian package as root. @throws Error with what to do where it cannot */
export function ensureProgram(program: string): void {
  const isThere = () => spawnSync(program, ['--version']).status === 0;
  if (isThere()) return;
  if (process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const args of [
      ['update', '-q'],
      ['install', '-y', '-q', '--no-install-recommends', program],
    ])
      spawnSync('apt-get', args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    if (isThere()) return;
  }
  throw new Error(`${program} is needed here: install it (apt-get install ${program}).`);
}

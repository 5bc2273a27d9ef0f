/**
 * Writes dist/loci: only the files that a server runs, with the built client. Copied to another machine it starts with `npm ci
 * --omit=dev` and `npm start`, without building anything.
 */
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const TARGET = path.join(ROOT, 'dist', 'loci');
const PARTS = [
  'package.json',
  'package-lock.json',
  'server',
  'shared',
  'migrations',
  'dist/client',
  'dist/server',
] as const;

rmSync(TARGET, { recursive: true, force: true });
for (const part of PARTS) cpSync(path.join(ROOT, part), path.join(TARGET, part), { recursive: true });
process.stdout.write('Wrote dist/loci: copy it, then run npm ci --omit=dev and npm start there\n');

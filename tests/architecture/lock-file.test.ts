/** The lock files install on every machine: no address of one registry in them, and no platform left out. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROOT } from './source-tree.ts';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

describe.each(['package-lock.json', 'tests/tools/package-lock.json'])('%s', (file) => {
  const { packages } = lockFile.parse(JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')));

  /** Node looks for a package in its own folder, then in every folder above. */
  const isLocked = (place: string, name: string): boolean => {
    if (`${place === '' ? '' : `${place}/`}node_modules/${name}` in packages) return true;
    return place !== '' && isLocked(place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))), name);
  };

  it('names no registry, so that any mirror will do', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('has an entry for every optional dependency, without which npm ci refuses to begin', () => {
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(place, name)),
    );
    expect(missing).toEqual([]);
  });
});

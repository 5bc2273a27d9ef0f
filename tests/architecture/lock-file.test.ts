/** The lock file installs on every machine: no address of one registry in it, and no platform left out. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ROOT } from './source-tree.ts';

const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        version: z.string().optional(),
        resolved: z.string().optional(),
        link: z.boolean().optional(),
        optionalDependencies: z.record(z.string(), z.string()).optional(),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')));

const places = Object.keys(lock.packages);

/** Node looks for a package in its own folder, then in every folder above. */
function isLocked(place: string, name: string): boolean {
  const inside = `${place === '' ? '' : `${place}/`}node_modules/${name}`;
  if (inside in lock.packages) return true;
  return place !== '' && isLocked(place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))), name);
}

it('names no registry, so that any mirror will do', () => {
  // A link leads into this tree.
  const named = Object.values(lock.packages).filter(({ resolved, link }) => resolved !== undefined && !link);
  expect(named).toEqual([]);
});

it('has an entry for every optional dependency, without which npm ci refuses to begin', () => {
  const missing = places.flatMap((place) =>
    Object.keys(lock.packages[place]?.optionalDependencies ?? {}).filter((name) => !isLocked(place, name)),
  );
  expect(missing).toEqual([]);
});

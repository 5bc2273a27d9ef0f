/**
 * Fails a build in which files import each other: the browser would run one of them before what it imports is there, and the
 * page would not start.
 */
import type { Plugin } from 'vite';

/** The files of one cycle of imports, in order; undefined when there is none. */
export function findCycle(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    if (path.includes(file)) return path.slice(path.indexOf(file));
    if (done.has(file)) return undefined;
    path.push(file);
    for (const next of imports.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const cycle = visit(file);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Dynamic imports may lead back: they run when both files are there. */
export function refuseChunkCycles(): Plugin {
  return {
    name: 'loci:refuse-chunk-cycles',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const cycle = findCycle(new Map(chunks.map(({ fileName, imports }) => [fileName, imports])));
      if (cycle) this.error(`Files import each other: ${[...cycle, cycle[0]].join(' → ')}`);
    },
  };
}

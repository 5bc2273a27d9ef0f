/**
 * Which modules of the browser's code share a file, read off the module graph while the client is built. Public pages get one
 * file that needs no other; what the first list of a signed-in person needs comes in a few files instead of some sixty,
 * because each costs a way through the service worker.
 */

interface ModuleInfo {
  importedIds: string[];
  dynamicallyImportedIds: string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** Scripts of the two documents; each keeps a file of its own. */
const ENTRIES = { site: 'islands.ts', application: 'main.ts' } as const;
const APPLICATION = 'application.tsx';
const REACT = /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/;
/** The layout of a workspace and the page it opens with; the former also holds what every page in it has. */
export const FIRST_LIST = ['layouts/dashboard.tsx', 'memories/memories-page.tsx'] as const;
/** Pages inside a workspace: they are reached only through its layout. */
const INSIDE = /^(?:memories|threads|spaces|workspaces|notifications)\/(?!public-|create-)[\w-]+-page\.tsx$/;
/** Everything that the given modules lead to at once; with `stop` later too, without what that leaves out and it alone needs. */
function reach(graph: Graph, from: readonly string[], stop?: (id: string) => boolean): Set<string> {
  const seen = new Set(from);
  for (const id of seen) {
    const info = graph.getModuleInfo(id);
    const next = [...(info?.importedIds ?? []), ...(stop ? (info?.dynamicallyImportedIds ?? []) : [])];
    for (const other of next) if (stop?.(other) !== true) seen.add(other);
  }
  return seen;
}

type ChunkName = (id: string, graph: Graph) => string | null;

/**
 * Names the file of a module: `site` for what public pages begin with, `application` for what every page of the application
 * does, `parts` for what pages beyond the first list need too, `first-list` for the rest of it; null for everything else.
 * Each set is complete with its imports but for those before it, so no two files can import each other.
 * `folder` is that of the client, with a slash at its end.
 */
export function createChunkNames(folder: string): ChunkName {
  const roots = FIRST_LIST.map((file) => folder + file);
  const entries: readonly string[] = Object.values(ENTRIES).map((file) => folder + file);
  const isInside = (id: string): boolean =>
    roots.includes(id) || (id.startsWith(folder) && INSIDE.test(id.slice(folder.length)));
  let sets: { name: string | null; ids: ReadonlySet<string> }[] | undefined;
  const choose = (graph: Graph) => {
    const needed = reach(graph, roots);
    const outside = reach(graph, entries, isInside);
    return [
      { name: 'site', ids: reach(graph, [folder + ENTRIES.site]) },
      // The first script of the application listens before the rest is there.
      { name: null, ids: reach(graph, [folder + ENTRIES.application]) },
      { name: 'application', ids: reach(graph, [folder + APPLICATION]) },
      { name: 'parts', ids: needed.intersection(outside) },
      { name: 'first-list', ids: needed },
    ];
  };
  return (id, graph) => {
    // These keep files of their own, under which the documents and the table of routes know them.
    if (roots.includes(id) || entries.includes(id) || id === folder + APPLICATION) return null;
    if (REACT.test(id)) return 'react';
    sets ??= choose(graph);
    return sets.find(({ ids }) => ids.has(id))?.name ?? null;
  };
}

/**
 * Which modules of the browser's code share a file, determined from the module graph during the build. The modules for the
 * first list of a signed-in person are in a few files instead of some sixty, because each one passes through the service
 * worker.
 */

interface ModuleInfo {
  importedIds: string[];
  dynamicallyImportedIds: string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** The script of the application's document, which stays a file of its own. */
const ENTRY = 'main.ts';
const APPLICATION = 'application.tsx';
const REACT = /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/;
/** The layout of a workspace and the page it opens with; the former also holds what every page in it has. */
export const FIRST_LIST = ['layouts/dashboard.tsx', 'memories/memories-page.tsx'] as const;
/** The guard of its route, used by other log-in pages too. */
export const GUARD = 'api/guard-session.ts';
/** The device's small tables, which the first list loads one after the other, and their library. */
const DATABASES = ['shell/drafts-database.ts', 'shell/undo-database.ts', 'replica/device-database.ts'];
/** Pages inside a workspace: they are reached only through its layout. */
const INSIDE = /^(?:memories|threads|spaces|workspaces|notifications)\/(?!public-|create-)[\w-]+-page\.tsx$/;
/** The API client, with the schemas of all endpoints. */
const CALLS = 'api/client.ts';
/** Pages before the first list: log-in, sign-up and the steps of a new account. */
const BEFORE_WORKSPACE =
  /^(?:layouts\/(?:auth|onboarding|empty)|accounts\/(?!staff-)[\w-]+-page|workspaces\/create-workspace-page)\.tsx$/;
/** Those too short for a file of their own, which are bundled with their shared code. */
const FORM = /^(?:layouts\/(?:auth|onboarding|empty)|accounts\/(?:login|signup)-page)\.tsx$/;
/** All modules that `from` imports statically; with `stop` also dynamically, but never through a module that it matches. */
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
 * Names the file of a module: `start` for what the first script imports, `application` for what every page imports, `parts` for
 * what pages beyond the first list need too, `first-list` for the rest of it, `databases` for the device's small tables,
 * `calls` for what calls the server, `accounts` for what the pages before a workspace need besides; null for everything else.
 * Each set is complete with its imports but for those before it, so no two files can import each other. `folder` is that of the
 * client, with a slash at its end.
 */
export function createChunkNames(folder: string): ChunkName {
  const inFolder = (file: string): string => folder + file;
  const entry = inFolder(ENTRY);
  const roots = FIRST_LIST.map(inFolder);
  const isInside = (id: string): boolean =>
    roots.includes(id) || (id.startsWith(folder) && INSIDE.test(id.slice(folder.length)));
  const isBeforeWorkspace = (id: string): boolean =>
    id.startsWith(folder) && BEFORE_WORKSPACE.test(id.slice(folder.length));
  let sets: { name: string; ids: ReadonlySet<string> }[] | undefined;
  const choose = (graph: Graph) => {
    const needed = reach(graph, roots);
    const outside = reach(graph, [entry], isInside);
    return [
      { name: 'start', ids: reach(graph, [entry]) },
      { name: 'application', ids: reach(graph, [inFolder(APPLICATION)]) },
      { name: 'parts', ids: needed.intersection(outside).add(inFolder(GUARD)) },
      { name: 'first-list', ids: needed },
      { name: 'databases', ids: reach(graph, DATABASES.map(inFolder)) },
      { name: 'calls', ids: reach(graph, [inFolder(CALLS)]) },
      { name: 'accounts', ids: reach(graph, [...outside].filter(isBeforeWorkspace)) },
    ];
  };
  return (id, graph) => {
    // These stay files of their own: each is the only one of its kind that a visit needs.
    if (id === entry || (isBeforeWorkspace(id) && !FORM.test(id.slice(folder.length)))) return null;
    if (REACT.test(id)) return 'react';
    sets ??= choose(graph);
    return sets.find(({ ids }) => ids.has(id))?.name ?? null;
  };
}

/**
 * Names the file of what several parts of the application share and `chunkNames` leaves out: without it each combination of
 * parts has a file of its own, most of them too short for a request. A module with a library stays separate: not every part
 * should wait for that.
 */
export function createSharedName(chunkNames: ChunkName): ChunkName {
  return (id, graph) => {
    const isLibrary = (other: string): boolean =>
      other.includes('/node_modules/') && chunkNames(other, graph) === null;
    return [...reach(graph, [id])].some(isLibrary) ? null : 'shared';
  };
}

// What the first list of a signed-in person needs, as a few files instead of some sixty: each file of the application costs
// a way through the service worker. Reads the module graph while the client is built.

interface ModuleInfo {
  importedIds: string[];
  dynamicallyImportedIds: string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

const ENTRY = 'main.ts';
/** The layout of a workspace and the page it opens with; the former also holds what every page in it has. */
export const FIRST_LIST = ['layouts/dashboard.tsx', 'memories/memories-page.tsx'] as const;
/** Pages inside a workspace: nobody gets to them without its layout. */
const INSIDE = /^(?:memories|threads|spaces|workspaces|notifications)\/(?!public-|create-)[\w-]+-page\.tsx$/;
/** What no public page loads by itself: the way to an account, and dialogs that wait for a click. */
const LATE =
  /^(?:accounts\/|capture\/share-page|workspaces\/create-|layouts\/(?:auth|empty|onboarding)|api\/(?:client|guard-session)|shell\/toaster|site\/(?:early-access-modal|site-search\.)|spaces\/(?:report|save-space)-modal|threads\/rating-why)/;

/** Everything that the given modules lead to, at once or (where wanted) later; `stop` is left out with what it alone needs. */
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
 * Names the chunks: `alone` for what no other page needs, `shared` for what pages and dialogs beyond need later.
 * `folder` is that of the client, with a slash at its end.
 */
export function createFirstListNames(folder: string): { alone: ChunkName; shared: ChunkName } {
  const roots = FIRST_LIST.map((file) => folder + file);
  const isIn = (id: string, files: RegExp): boolean =>
    id.startsWith(folder) && files.test(id.slice(folder.length));
  let chosen: { alone: Set<string>; shared: Set<string> } | undefined;
  const choose = (graph: Graph) => {
    const needed = reach(graph, roots);
    const inside = (id: string) => roots.includes(id) || isIn(id, INSIDE);
    const late = (id: string) => inside(id) || isIn(id, LATE);
    return {
      alone: needed.difference(reach(graph, [folder + ENTRY], inside)),
      shared: needed.difference(reach(graph, [folder + ENTRY], late)),
    };
  };
  // The two themselves keep files of their own, under which the table of routes knows them.
  const has = (kind: 'alone' | 'shared', id: string, graph: Graph): boolean => {
    chosen ??= choose(graph);
    return chosen[kind].has(id) && !roots.includes(id);
  };
  return {
    alone: (id, graph) => (has('alone', id, graph) ? 'first-list' : null),
    shared: (id, graph) => (has('shared', id, graph) ? 'parts' : null),
  };
}

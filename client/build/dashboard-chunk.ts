// Which modules travel in the one file that the dashboard needs for its first list: those that the layout and the home
// page need and nobody else does. In fifty files of their own they arrive later and compress worse.

/** What is asked of the bundler's graph. */
interface Graph {
  getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[] } | null;
}

const FIRST_LIST = /client[\\/](?:layouts[\\/]dashboard|memories[\\/]memories-page)\.tsx$/;
/** Entries that are only ever loaded below the dashboard's layout. */
const BELOW =
  /client[\\/](?:layouts[\\/]dashboard|memories[\\/]|spaces[\\/]spaces?-page|threads[\\/]threads?-page|workspaces[\\/]settings-page|palette[\\/])/;

function reach(graph: Graph, roots: Iterable<string>): Set<string> {
  const found = new Set(roots);
  for (const id of found) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
}

/** Every module that some other one imports lazily, found from the given one on. */
function entriesFrom(graph: Graph, main: string): Set<string> {
  const entries = new Set<string>();
  const seen = new Set([main]);
  for (const id of seen) {
    const info = graph.getModuleInfo(id);
    for (const next of info?.dynamicallyImportedIds ?? []) entries.add(next);
    for (const next of [...(info?.importedIds ?? []), ...(info?.dynamicallyImportedIds ?? [])])
      seen.add(next);
  }
  return entries;
}

/** Ids of the modules of that file; `main` is the id of the application's entry. */
export function dashboardModules(graph: Graph, main: string): ReadonlySet<string> {
  const entries = [...entriesFrom(graph, main)];
  const first = reach(
    graph,
    entries.filter((id) => FIRST_LIST.test(id)),
  );
  const elsewhere = reach(graph, [main, ...entries.filter((id) => !BELOW.test(id))]);
  return new Set([...first].filter((id) => !elsewhere.has(id) && !entries.includes(id)));
}

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
const ZOD = /[\\/]node_modules[\\/]zod[\\/]/;
/** The layout of a workspace and the page it opens with; the former also holds what every page in it has. */
export const FIRST_LIST = ['layouts/dashboard.tsx', 'memories/memories-page.tsx'] as const;
/** Of its route; other ways in ask it too. */
export const GUARD = 'api/guard-session.ts';
/** Fetched right after the first list, so that they are there without a network. */
const DIALOGS = 'layouts/dashboard-modals.tsx';
/** The device's small tables, which the first list asks for one after the other, and their library. */
const DATABASES = ['shell/drafts-database.ts', 'shell/undo-database.ts', 'replica/device-database.ts'];
/** Pages inside a workspace: they are reached only through its layout. */
const INSIDE = /^(?:memories|threads|spaces|workspaces|notifications)\/(?!public-|create-)[\w-]+-page\.tsx$/;
/** What speaks with the server, with the schemas of all endpoints; both ways lead there. */
const CALLS = 'api/client.ts';
/** Pages before the first list: the ways in and the steps of a new account. */
const BEFORE_WORKSPACE =
  /^(?:layouts\/(?:auth|onboarding|empty)|accounts\/(?!staff-)[\w-]+-page|workspaces\/create-workspace-page)\.tsx$/;
/** Those of them that are shorter than their way to the browser, and come with what they share. */
const FORM = /^(?:layouts\/(?:auth|onboarding|empty)|accounts\/(?:login|signup)-page)\.tsx$/;
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

/** What public pages fetch, at once or when a visitor asks for it, but for what speaks with the server. */
function fetchedBySite(graph: Graph, folder: string): Set<string> {
  return reach(graph, [folder + ENTRIES.site], (id) => id === folder + CALLS);
}

type ChunkName = (id: string, graph: Graph) => string | null;

/**
 * Names the file of a module: `site` for what public pages begin with, `common` for what later parts of them and the
 * application at once need without React, `start` for what the first script of the
 * application imports, `application` for what every page of the
 * application does, `parts` for what pages beyond the first list need too, `first-list` for the rest of it, `databases` for
 * the device's small tables, `calls` for what speaks with the server, `accounts` for what the pages before a workspace need
 * besides; null for everything else. What the application and parts of public pages both need later comes in files of its
 * own, by what it is needed with, so that a public page gets nothing large along: `schemas`, `reasons`, `text`, `forms`.
 * Each set is complete with its imports but for those before it, so no two files can import each other.
 * `folder` is that of the client, with a slash at its end.
 */
export function createChunkNames(folder: string): ChunkName {
  const roots = FIRST_LIST.map((file) => folder + file);
  const databases = DATABASES.map((file) => folder + file);
  const entries: readonly string[] = Object.values(ENTRIES).map((file) => folder + file);
  const isInside = (id: string): boolean =>
    roots.includes(id) || (id.startsWith(folder) && INSIDE.test(id.slice(folder.length)));
  const isBeforeWorkspace = (id: string): boolean =>
    id.startsWith(folder) && BEFORE_WORKSPACE.test(id.slice(folder.length));
  let sets: { name: string | null; ids: ReadonlySet<string> }[] | undefined;
  const choose = (graph: Graph) => {
    const needed = reach(graph, roots);
    const outside = reach(graph, entries, isInside);
    const before = [...outside].filter(isBeforeWorkspace);
    const bySite = fetchedBySite(graph, folder);
    const calls = reach(graph, [folder + CALLS]);
    const callsBySite = [...calls.intersection(bySite)];
    const atOnce = reach(graph, [folder + ENTRIES.application, folder + APPLICATION]);
    const dialogsBySite = reach(graph, [folder + DIALOGS]).intersection(bySite);
    const isDrawn = (id: string): boolean => [...reach(graph, [id])].some((other) => REACT.test(other));
    const drawn = [...dialogsBySite].filter(isDrawn);
    return [
      { name: 'site', ids: reach(graph, [folder + ENTRIES.site]) },
      { name: 'common', ids: new Set([...bySite.intersection(atOnce)].filter((id) => !isDrawn(id))) },
      // Not in the file of the application's first script, which a public page would run along with a form of React.
      { name: 'start', ids: reach(graph, [folder + ENTRIES.application]) },
      { name: 'application', ids: reach(graph, [folder + APPLICATION]) },
      { name: 'parts', ids: needed.intersection(outside).add(folder + GUARD) },
      { name: 'first-list', ids: needed },
      { name: 'databases', ids: reach(graph, databases) },
      { name: 'schemas', ids: new Set(callsBySite.filter((id) => ZOD.test(id))) },
      { name: 'reasons', ids: new Set(callsBySite) },
      { name: 'forms', ids: new Set(drawn) },
      { name: 'text', ids: dialogsBySite },
      // The files below would bring the application along.
      { name: null, ids: bySite },
      { name: 'calls', ids: calls },
      { name: 'accounts', ids: reach(graph, before) },
    ];
  };
  return (id, graph) => {
    // These keep files of their own: each is the only one of its kind that a visit needs.
    if (entries.includes(id) || (isBeforeWorkspace(id) && !FORM.test(id.slice(folder.length)))) return null;
    if (REACT.test(id)) return 'react';
    sets ??= choose(graph);
    return sets.find(({ ids }) => ids.has(id))?.name ?? null;
  };
}

/**
 * Names the file of what several parts of the application share and `chunkNames` leaves out: without it each combination of
 * parts has a file of its own, most of them shorter than their way to the browser. Parts of public pages stay as they are, and
 * so does what brings a library along, which not every part should wait for.
 */
export function createSharedName(folder: string, chunkNames: ChunkName): ChunkName {
  let site: ReadonlySet<string> | undefined;
  return (id, graph) => {
    site ??= reach(graph, [folder + ENTRIES.site], () => false);
    if (site.has(id)) return null;
    const isLibrary = (other: string): boolean =>
      other.includes('/node_modules/') && chunkNames(other, graph) === null;
    return [...reach(graph, [id])].some(isLibrary) ? null : 'shared';
  };
}

// Leaves out of the browser's bundle what our router never runs: forms and fetchers, blockers, middleware, route discovery
// and instrumentation. A public page is measured in kilobytes (decision 0036), and these parts are one large function that no
// bundler can shake. Everything is named; a release that has other names ends the build with a message, not the page.
import { parseAst, type Plugin } from 'vite';

/** Module of the router → those of its importers that get ours instead. */
const REPLACED: Record<string, RegExp> = {
  'instrumentation.js': /lib\/router\/router\.js$/,
  'ssr/components.js': /lib\/(?:dom\/lib|components)\.js$/,
};

/** Calling one of these would be a mistake of ours: lint forbids the hooks and components that lead here. */
const REFUSED = [
  ...[
    'handleAction',
    'fetch',
    'handleFetcherAction',
    'handleFetcherLoader',
    'setFetcherError',
    'resetFetcher',
  ],
  ...[
    'getFetcher',
    'queueFetcherForDeletion',
    'updateBlocker',
    'getBlocker',
    'discoverRoutes',
    'patchRoutes',
  ],
  ...['cancelDiscoveryNavigation', 'runClientMiddlewarePipeline', 'getTargetedDataStrategyMatches'],
];

/** Functions that the router calls on its way although there is nothing for them to do. */
const NOTHING_TO_DO: Record<string, string> = {
  shouldBlockNavigation: '',
  deleteBlocker: '',
  deleteFetcher: '',
  abortFetcher: '',
  restoreAppliedTransitions: '',
  persistAppliedTransitions: '',
  getSubmissionFromNavigation: '',
  markFetchRedirectsDone: 'return false;',
  abortStaleFetchLoads: 'return false;',
  getUpdatedActionData: '',
  getUpdatedRevalidatingFetchers: 'return state.fetchers;',
  checkFogOfWar: 'return { active: false, matches: null };',
  normalizeNavigateOptions: 'return { path };',
  loadLazyMiddlewareForMatches: '',
};

/** Options that we never give and answers that are therefore known. */
const KNOWN: [wording: string, value: string][] = [
  ['init.instrumentations', 'undefined'],
  ['init.patchRoutesOnNavigation', 'undefined'],
  ['init.dataStrategy', 'undefined'],
  ['future.unstable_customRouteDiscovery', 'false'],
  ['if (opts?.mask)', 'if (false)'],
  ['opts.submission', 'undefined'],
  ['if (opts?.instrumentationNavigateMetaReceiver)', 'if (false)'],
  ['if (blockerKey', 'if (false'],
  ['if (isFogOfWar)', 'if (false)'],
  ['if (unblockBlockerHistoryUpdate)', 'if (false)'],
  ['typeof route.lazy === "function"', 'false'],
];

/** Statements about fetchers, which do not exist, and warnings for developers. */
const DROPPED = [
  ...['fetchLoadMatches.forEach(', 'revalidatingFetchers.forEach(', 'revalidatingFetchers.filter('],
  ...['fetchersQueuedForDeletion.forEach(', 'state.fetchers.forEach(', 'warning('],
  ...['unmountedFetchers.forEach(', 'mountedFetchers.forEach('],
];

interface Edit {
  start: number;
  end: number;
  text: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  id?: { name?: string } | null;
  body?: Node;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function children(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

/** The edits inside one node, outermost first come, first served. */
function editsOf(node: Node, code: string, found: Set<string>): Edit[] {
  if (node.type === 'FunctionDeclaration' && node.id?.name && node.body) {
    const { name } = node.id;
    const text = REFUSED.includes(name) ? 'throw Error("Left out");' : NOTHING_TO_DO[name];
    if (text !== undefined) {
      found.add(name);
      return [{ start: node.body.start, end: node.body.end, text: `{ ${text} }` }];
    }
  }
  if (node.type === 'ExpressionStatement') {
    const begin = DROPPED.find((wording) => code.startsWith(wording, node.start));
    if (begin !== undefined) {
      found.add(begin);
      return [{ start: node.start, end: node.end, text: ';' }];
    }
  }
  return children(node).flatMap((child) => editsOf(child, code, found));
}

/** The router's module without the parts above. @throws when one of them is not there */
export function slimmed(source: string): string {
  const missing = KNOWN.filter(([wording]) => !source.includes(wording)).map(([wording]) => wording);
  const code = KNOWN.reduce((text, [wording, value]) => text.replaceAll(wording, value), source);
  const found = new Set<string>();
  const root: unknown = parseAst(code);
  if (!isNode(root)) throw new Error('The router could not be parsed');
  const edits = editsOf(root, code, found).sort((one, other) => other.start - one.start);
  const wanted = [...REFUSED, ...Object.keys(NOTHING_TO_DO), ...DROPPED];
  missing.push(...wanted.filter((name) => !found.has(name)));
  if (missing.length > 0)
    throw new Error(`react-router has changed; see client/build/slim-router.ts: ${missing.join(', ')}`);
  return edits.reduce(
    (text, { start, end, text: own }) => text.slice(0, start) + own + text.slice(end),
    code,
  );
}

/** For builds of the browser's bundle; server rendering and development keep the router whole. `standIn` is the file that replaces whole modules. */
export function slimRouter(standIn: string): Plugin {
  return {
    name: 'loci:slim-router',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer = '') {
      if (this.environment.name !== 'client' || !importer.includes('react-router')) return null;
      const ours = Object.entries(REPLACED).some(
        ([file, from]) => source.endsWith(`/${file}`) && from.test(importer),
      );
      return ours ? standIn : null;
    },
    transform: {
      filter: { id: /react-router\/dist\/production\/lib\/router\/router\.js$/ },
      handler(code) {
        return this.environment.name === 'client' ? { code: slimmed(code), map: null } : null;
      },
    },
  };
}

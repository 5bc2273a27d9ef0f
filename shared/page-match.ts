// Which page a path names. One list of patterns, derived from the pages table, for the server, the service worker, the sitemap
// and the tests. Pure: depends on the table and the slug grammar.
import { PAGES, type PageName } from './pages.ts';
import { isWorkspaceSlug } from './workspace-slug.ts';

interface Pattern {
  name: PageName;
  regex: RegExp;
  keys: string[];
  /** Static segments count most, then parameters, then the rest-of-path star. */
  rank: number;
}

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function compile(name: PageName): Pattern {
  const keys: string[] = [];
  let rank = 0;
  const parts = PAGES[name].path
    .split('/')
    .filter(Boolean)
    .map((segment) => {
      rank = rank * 4 + (segment === '*' ? 1 : segment.startsWith(':') ? 2 : 3);
      if (segment === '*') {
        keys.push('*');
        return '/(.+)';
      }
      if (!segment.startsWith(':')) return `/${escapeRegex(segment)}`;
      keys.push(segment.slice(1));
      return '/([^/]+)';
    });
  return { name, keys, rank, regex: new RegExp(`^${parts.join('') || '/'}/?$`) };
}

const patterns: Pattern[] = Object.keys(PAGES)
  .filter((name): name is PageName => name in PAGES)
  .map(compile)
  .sort((a, b) => b.rank - a.rank);

export interface PageMatch {
  name: PageName;
  params: Record<string, string>;
}

/** The page for a path, or undefined when no page has it: then the not-found page is served. */
export function matchPage(pathname: string): PageMatch | undefined {
  for (const { name, regex, keys } of patterns) {
    const found = regex.exec(pathname);
    if (!found) continue;
    const params = Object.fromEntries(keys.map((key, index) => [key, safeDecode(found[index + 1] ?? '')]));
    const slug = params['workspace_slug'];
    if (slug !== undefined && !isWorkspaceSlug(slug)) continue;
    return { name, params };
  }
  return undefined;
}

function safeDecode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

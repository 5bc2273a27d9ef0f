/**
 * Who may import whom. Each rule is a function from a file and one of its imports to a complaint; the tests collect
 * complaints, so a failure prints every broken line of the house at once.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, sourceFiles, type Import, type SourceFile } from './source-tree.ts';

const FEATURES = new Set([
  'accounts',
  'workspaces',
  'memories',
  'capture',
  'changes',
  'webhooks',
  'spaces',
  'threads',
  'notifications',
  'audit',
  'api-keys',
  'oauth',
  'site',
]);

/** Rooms of machinery: they serve every feature, so they may know none. */
const FEATURE_BLIND = new Set(['shared/define', 'server/db', 'server/http', 'client/replica', 'client/ui']);

/** What is collected from all features: it knows them, so none of them may know it. */
const COLLECTED = new Set([
  'shared/endpoints.ts',
  'shared/field-texts.ts',
  'shared/mutators.ts',
  'shared/pages.ts',
]);

/** A table of the kinds: derived, so the machinery may read it. */
const SCOPES = 'shared/api-keys/scopes.ts';

/** The files of ours that primitives may read. */
const PLAIN = ['shared/constants.ts', 'shared/english.ts'];

const DIRECTIONS: Record<string, readonly string[]> = {
  shared: ['shared'],
  client: ['shared', 'client'],
  server: ['shared', 'server'],
  tests: ['shared', 'client', 'server', 'tests'],
};

/** Pure computations: nothing of Node or of the browser. */
const SHARED_PACKAGES = new Set([
  'zod',
  '@noble/hashes',
  'markdown-it',
  'markdown-it-footnote',
  'hast',
  'highlight.js',
  'lowlight',
  'hast-util-sanitize',
]);

const top = (file: string): string => file.split('/')[0] ?? '';
const room = (file: string): string => file.split('/').slice(0, 2).join('/');
const second = (file: string): string => (file.split('/').length > 2 ? (file.split('/')[1] ?? '') : '');
const base = (file: string): string => file.split('/').at(-1) ?? '';
const isFeature = (file: string): boolean => FEATURES.has(second(file));

/** Runs in Node while the client is built. */
const isBuildFile = (file: string): boolean =>
  room(file) === 'client/build' || /^client\/.*(?:\.config|content-collections)\.ts$/.test(file);

type Rule = (file: SourceFile, found: Import) => string | false;

function complaints(rule: Rule): string[] {
  return sourceFiles.flatMap((file) =>
    file.imports.flatMap((found) => {
      const complaint = rule(file, found);
      return complaint === false ? [] : [`${file.path} → ${found.specifier}: ${complaint}`];
    }),
  );
}

describe('imports', () => {
  it('go from server and client to shared, and never between server and client', () => {
    expect(
      complaints((file, found) => {
        if (!found.file) return false;
        if ((DIRECTIONS[top(file.path)] ?? []).includes(top(found.file))) return false;
        if (isBuildFile(file.path)) return false;
        return top(found.file) === 'package.json'
          ? false
          : `${top(file.path)} may not know ${top(found.file)}`;
      }),
    ).toEqual([]);
  });

  it('of packages are pure ones in shared, and no Node module in the client', () => {
    expect(
      complaints((file, found) => {
        if (!found.package) return false;
        if (top(file.path) === 'shared') return SHARED_PACKAGES.has(found.package) ? false : 'shared is pure';
        if (top(file.path) === 'client' && !isBuildFile(file.path) && found.package.startsWith('node:'))
          return 'not in a browser';
        return false;
      }),
    ).toEqual([]);
  });

  it('carry the file extension, so that Node runs the server without a build', () => {
    expect(
      complaints((_file, found) => (found.file && !/\.\w+$/.test(found.file) ? 'extension missing' : false)),
    ).toEqual([]);
  });

  it('between features of shared reach no endpoints', () => {
    expect(
      complaints((file, found) => {
        if (top(file.path) !== 'shared' || !isFeature(file.path) || !found.file) return false;
        if (!isFeature(found.file)) {
          return COLLECTED.has(found.file) ? 'collected above the features' : false;
        }
        if (room(found.file) === room(file.path)) return false;
        return base(found.file) === 'endpoints.ts' ? 'only entities and mutators of another feature' : false;
      }),
    ).toEqual([]);
  });

  it('between features of the server go through service.ts', () => {
    expect(
      complaints((file, found) => {
        if (top(file.path) !== 'server' || !isFeature(file.path) || !found.file) return false;
        if (top(found.file) !== 'server' || !isFeature(found.file) || room(found.file) === room(file.path))
          return false;
        return base(found.file) === 'service.ts' ? false : `use ${room(found.file)}/service.ts`;
      }),
    ).toEqual([]);
  });

  it('between features of the client reach queries, cards and pickers only', () => {
    expect(
      complaints((file, found) => {
        if (top(file.path) !== 'client' || !isFeature(file.path) || !found.file) return false;
        if (top(found.file) !== 'client' || !isFeature(found.file) || room(found.file) === room(file.path))
          return false;
        const open = base(found.file) === 'queries.ts' || /-(card|picker)\.tsx$/.test(found.file);
        return open ? false : 'only queries.ts, *-card.tsx and *-picker.tsx of another feature';
      }),
    ).toEqual([]);
  });

  it('keep the words of the API reference out of the application', () => {
    expect(
      complaints((file, found) => {
        if (top(file.path) !== 'client' || room(file.path) === 'client/build' || !found.file) return false;
        return /^shared\/openapi\/(?:api-description|describe)|\/field-texts\.ts$/.test(found.file)
          ? 'only its build reads them'
          : false;
      }),
    ).toEqual([]);
  });

  it('keep the machinery blind to features', () => {
    expect(
      complaints((file, found) => {
        if (!FEATURE_BLIND.has(room(file.path)) || !found.file || !isFeature(found.file)) return false;
        if (found.file === SCOPES) return false;
        if (top(file.path) === 'shared' || top(found.file) !== 'shared')
          return `${room(file.path)} serves every feature`;
        return room(file.path) === 'client/ui' ? 'ui knows no product' : false;
      }),
    ).toEqual([]);
  });

  it('keep client/ui free of everything of ours but numbers, English and Markdown', () => {
    expect(
      complaints((file, found) => {
        if (room(file.path) !== 'client/ui' || !found.file) return false;
        const isOpen = PLAIN.includes(found.file) || /^(?:client\/ui|shared\/markdown)\//.test(found.file);
        return isOpen ? false : 'ui knows no product';
      }),
    ).toEqual([]);
  });

  it('form no cycle, type imports included', () => {
    const graph = new Map(
      sourceFiles.map((file) => [file.path, file.imports.flatMap((found) => found.file ?? [])]),
    );
    expect(cycles(graph)).toEqual([]);
  });
});

describe('the rules above', () => {
  it('name files and folders that exist', () => {
    const features = [...FEATURES].filter(
      (feature) => !['shared', 'server', 'client'].some((side) => existsSync(path.join(ROOT, side, feature))),
    );
    const others = [...COLLECTED, ...FEATURE_BLIND, ...Object.keys(DIRECTIONS), SCOPES, ...PLAIN];
    expect([...features, ...others.filter((name) => !existsSync(path.join(ROOT, name)))]).toEqual([]);
  });

  it('see imports at all', () => {
    const rooms = new Set(
      sourceFiles.filter(({ imports }) => imports.length > 0).map((file) => top(file.path)),
    );
    expect([...rooms].toSorted()).toEqual(Object.keys(DIRECTIONS).toSorted());
  });
});

describe('modules', () => {
  it('are no barrels: no index files, no re-exports of everything', () => {
    const wrong = sourceFiles.filter(
      ({ path, text }) => /(^|\/)index\.tsx?$/.test(path) || /^export \* from/m.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('export by name, except where a tool demands a default', () => {
    const demanded = [
      /\.config\.ts$/,
      /(^|\/)content-collections\.ts$/,
      /^tests\/support\/global-[\w-]+\.ts$/,
      // Reporters of Vitest and Playwright.
      /^tests\/support\/(vitest|story)-report\.ts$/,
    ];
    const wrong = sourceFiles.filter(
      ({ path, text }) => /^export default\b/m.test(text) && !demanded.some((place) => place.test(path)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

/** Depth-first search that reports each closed path once, starting at its alphabetically first file. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set<string>();
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (node: string): void => {
    const start = trail.indexOf(node);
    if (start >= 0) {
      const loop = trail.slice(start);
      const first = loop.indexOf([...loop].sort()[0] ?? '');
      found.add([...loop.slice(first), ...loop.slice(0, first)].join(' → '));
      return;
    }
    if (done.has(node)) return;
    trail.push(node);
    for (const next of graph.get(node) ?? []) if (graph.has(next)) visit(next);
    trail.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return [...found];
}

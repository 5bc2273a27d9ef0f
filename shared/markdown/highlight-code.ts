/**
 * Colours for the blocks of code in rendered Markdown that name their language. For workers only: it is large, and the time that
 * a text takes is limited there.
 */
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import nginx from 'highlight.js/lib/languages/nginx';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scss from 'highlight.js/lib/languages/scss';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import type { BodyNode } from './body-node.ts';
import { countElements } from './count-elements.ts';
import { MARKDOWN } from './limits.ts';

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  nginx,
  php,
  python,
  ruby,
  rust,
  scss,
  sql,
  swift,
  typescript,
  xml,
  yaml,
});

// Its own grammar of sessions takes seconds for some texts.
lowlight.registerAlias({ bash: ['shell', 'console', 'zsh'] });

/** The colour of each scope of highlight.js; the others have that of the text around them. */
const COLOURS: Readonly<Record<string, string>> = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  name: 'keyword',
  string: 'string',
  regexp: 'string',
  addition: 'string',
  number: 'constant',
  literal: 'constant',
  symbol: 'constant',
  bullet: 'constant',
  title: 'function',
  section: 'function',
  built_in: 'function',
  type: 'function',
  'selector-class': 'function',
  'selector-id': 'function',
  attr: 'parameter',
  attribute: 'parameter',
  property: 'parameter',
  variable: 'parameter',
  'template-variable': 'parameter',
  deletion: 'parameter',
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  meta: 'comment',
  link: 'link',
};

type Scoped = ReturnType<typeof lowlight.highlight>['children'][number];

/** Colours the code of a tree as long as the text has room for it. */
export function highlightCode(nodes: readonly BodyNode[]): BodyNode[] {
  const left = {
    letters: MARKDOWN.maxCode,
    squares: MARKDOWN.maxCodeSquares,
    elements: MARKDOWN.maxCodeElements,
  };
  const coloured = (node: BodyNode): BodyNode => {
    if (typeof node === 'string') return node;
    const [tag, attributes, ...children] = node;
    const { language = '' } = attributes;
    const [code] = children;
    if (typeof code !== 'string' || !lowlight.registered(language))
      return [tag, attributes, ...children.map(coloured)];
    left.letters -= code.length;
    const lengths = code.split('\n').map((line) => line.length);
    left.squares -= lengths.reduce((sum, length) => sum + length ** 2, 0);
    const isLong = lengths.some((length) => length > MARKDOWN.maxCodeLine);
    if (isLong || left.letters < 0 || left.squares < 0) return node;
    const pieces = flattened(lowlight.highlight(language, code).children);
    left.elements -= countElements(pieces);
    return left.elements < 0 ? node : [tag, attributes, ...pieces];
  };
  return nodes.map(coloured);
}

/** Text and coloured text, where the innermost scope that has a colour counts. Code can nest deeper than calls can. */
function flattened(nodes: readonly Scoped[]): BodyNode[] {
  const pieces: BodyNode[] = [];
  const open = nodes.map((node) => ({ node, colour: '' })).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, colour } = next;
    if (node.type === 'text') pieces.push(colour === '' ? node.value : ['span', { colour }, node.value]);
    if (node.type !== 'element') continue;
    const [scope = ''] = [node.properties['className'] ?? []].flat();
    const own = COLOURS[scope.replace('hljs-', '')] ?? colour;
    open.push(...node.children.map((child) => ({ node: child, colour: own })).toReversed());
  }
  return pieces;
}

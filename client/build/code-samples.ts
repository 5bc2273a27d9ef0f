/**
 * Samples in several languages: blocks of code that follow each other in Markdown, put together in the tree that the pages
 * are drawn from, so that one language is shown at a time. Those of the API reference are made here. Build time only.
 */
import type { BodyNode } from '#shared/markdown/body-node.ts';
import { apiDescription } from '#shared/openapi/api-description.ts';
import { type ApiOperation, operationsOf } from '#shared/openapi/operations.ts';
import { SAMPLE_LANGUAGES } from '#shared/openapi/sample-languages.ts';
import { SAMPLE_ORIGIN, samplesOf } from '#shared/openapi/samples.ts';
import { slugOf } from './markdown.ts';

type Call = Pick<ApiOperation, 'method' | 'path'>;

const languages = Object.entries(SAMPLE_LANGUAGES);
const operations = operationsOf(apiDescription(SAMPLE_ORIGIN));

/** The id that the heading of a call gets. */
export function anchorOf({ method, path }: Call): string {
  return slugOf(`${method} ${path}`);
}

const byAnchor = new Map(operations.map((operation) => [anchorOf(operation), operation]));

/** The blocks of code of one call. @throws Error when the document does not have it */
export function sampleBlocks(call: Call): string[] {
  const operation = byAnchor.get(anchorOf(call));
  if (!operation) throw new Error(`The OpenAPI document has no ${call.method} ${call.path}`);
  const samples: Record<string, string> = samplesOf(operation);
  return languages.flatMap(([language, { grammar }]) => [
    `\`\`\`${grammar}`,
    samples[language] ?? '',
    '```',
    '',
  ]);
}

/** Puts blocks of one sample into one element, which names its call or the section that it is in. */
export function withSamples(body: BodyNode[]): BodyNode[] {
  const found: BodyNode[] = [];
  let about: Record<string, string> = { name: 'start', call: 'this page' };
  for (let at = 0; at < body.length; at += 1) {
    const node = body[at];
    if (node === undefined) continue;
    if (typeof node !== 'string' && /^h[23]$/.test(node[0])) about = subjectOf(node);
    const blocks = body.slice(at, at + languages.length);
    if (areSamples(blocks)) {
      found.push(['samples', about, ...blocks]);
      at += blocks.length - 1;
    } else found.push(node);
  }
  return found;
}

/** Subject of the samples below a heading. */
function subjectOf(heading: Exclude<BodyNode, string>): Record<string, string> {
  const [, { id = '' }, ...words] = heading;
  const operation = byAnchor.get(id);
  if (!operation) return { name: id, call: words.filter((word) => typeof word === 'string').join('') };
  const { name, method, path } = operation;
  return { name, call: `${method} ${path}`, ...(isSendable(operation) && { sendable: '' }) };
}

/** A script neither follows the redirect of a sign-in nor should hold the secret of a client. */
function isSendable({ proof, answer }: ApiOperation): boolean {
  return proof !== 'client' && answer !== 'redirect';
}

function areSamples(nodes: BodyNode[]): boolean {
  return (
    nodes.length === languages.length &&
    languages.every(([, { grammar }], index) => {
      const node = nodes[index];
      return Array.isArray(node) && node[0] === 'pre' && node[1]['data-language'] === grammar;
    })
  );
}

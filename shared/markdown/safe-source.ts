/**
 * Markdown of people that is passed on as Markdown: another program will render it, so no address in it may be more than
 * a link of the web, however it is written. Addresses are found by the parser, never by a pattern over the text.
 */
import { escapeLines } from './escape-markdown.ts';
import { MARKDOWN } from './limits.ts';
import { createParser } from './parser.ts';
import { safeLink } from './safe-link.ts';

const parser = createParser();

/** Spellings of the addresses in the current text, by the parsed address. */
let spellings = new Map<string, Set<string>>();

const parseDestination = parser.helpers.parseLinkDestination;
parser.helpers.parseLinkDestination = (source, start, max) => {
  const found = parseDestination(source, start, max);
  if (!found.ok) return found;
  const address = parser.normalizeLink(found.str);
  const written = spellings.get(address) ?? new Set();
  spellings.set(address, written.add(source.slice(start, found.pos)));
  return found;
};

type Token = ReturnType<typeof parser.parse>[number];

function addressesIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    const address = token.attrGet('href') ?? token.attrGet('src');
    const inside = token.children === null ? [] : addressesIn(token.children);
    return address === null ? inside : [String(address), ...inside];
  });
}

/** Addresses that a reader may not be led to, with the ways in which they are written. Empty for a harmless text. */
function unsafeAddresses(source: string): string[] {
  spellings = new Map();
  const environment: Parameters<typeof parser.parse>[1] = {};
  const tokens = parser.parse(source, environment);
  const defined = Object.values(environment.references ?? {}).map(({ href }) => href);
  // An empty address refers to the document itself.
  return [...new Set([...addressesIn(tokens), ...defined])].filter(
    (address) => address !== '' && safeLink(address) === undefined,
  );
}

/** Replaces an address where it is one: after `](` or `]:`. */
function withoutAddress(source: string, written: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = source.indexOf(written); at !== -1; at = source.indexOf(written, at + written.length)) {
    let before = at - 1;
    while (before > from && /\s/.test(source[before] ?? '')) before -= 1;
    const lead = source.slice(Math.max(0, before - 1), before + 1);
    if (lead !== '](' && lead !== ']:') continue;
    parts.push(source.slice(from, at), '#');
    from = at + written.length;
  }
  return parts.join('') + source.slice(from);
}

/** Browsers skip these in an address, so that the text after them becomes its scheme. */
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;

/** Raw HTML would be rendered elsewhere, and a picture would be loaded there: both become words. */
function withoutHtml(source: string): string {
  return source
    .replace(CONTROL, '')
    .replaceAll('<', String.raw`\<`)
    .replaceAll('![', '[');
}

/**
 * The source with only links to http, https, mailto and places on the same page. A source that cannot be parsed safely is
 * returned with all its marks escaped.
 */
export function safeSource(source: string): string {
  if (source.length > MARKDOWN.maxSource) return escapeLines(source);
  let safe = withoutHtml(source);
  const unsafe = unsafeAddresses(safe);
  if (unsafe.length === 0) return safe;
  if (unsafe.length > MOST_REPLACED) return escapeLines(source);
  for (const address of unsafe) {
    for (const written of spellings.get(address) ?? []) safe = withoutAddress(safe, written);
  }
  return unsafeAddresses(safe).length === 0 ? safe : escapeLines(source);
}

/** Each replacement reads the whole text once. */
const MOST_REPLACED = 100;
